// Written by `python -m web.types` from the structs of the service; do not change by hand.

interface Bootstrap {
  language: string;
  words: Record<string, string>;
}

interface SetupBootstrap {
  language: string;
  words: Record<string, string>;
  simulated: boolean;
}

interface CardsBootstrap {
  language: string;
  words: Record<string, string>;
  game: string;
  rows: PrintedRowShown[];
  trouble: string;
  locked: boolean;
}

interface PrintedRowShown {
  key: string;
  title: string;
  group: string;
  cells: PrintedCell[];
}

interface PrintedCell {
  field: string;
  title: string;
  note: string;
  kind: string;
  own: any;
  origin: string;
  value: any;
  least: number;
  most: number;
  among: string[];
}

interface LobbyBootstrap {
  language: string;
  words: Record<string, string>;
  role: string;
  places: number[];
  arranges: boolean;
  codes: boolean;
  build: string;
  page: LobbyPage;
}

/** The table between two matches, the same for everybody who looks. */
interface LobbyPage {
  version: number;
  build: string;
  match: string;
  games: GameTile[];
  broken: string[];
  game: string;
  seats: string[];
  bots: number[];
  virtual: boolean;
  asking: number | null;
  people: string[];
  options: OptionShown[];
  presets: PresetShown[];
  obstacle: ObstacleShown | null;
  notices: string[];
  senses: Record<string, SenseShown>;
}

interface GameTile {
  name: string;
  title: string;
  about: string;
  least: number;
  most: number;
  minutes: [number, number] | null;
  face: Face;
}

/** One side of a card or a printed mat; shapes are painted in order, later ones on top. */
interface Face {
  width: number;
  height: number;
  shapes: (Polygon | Circle | TextShape)[];
  outline: [number, number][];
}

interface Polygon {
  type: "polygon";
  points: [number, number][];
  fill: string;
  stroke: string;
  width: number;
}

interface Circle {
  type: "circle";
  centre: [number, number];
  radius: number;
  fill: string;
  stroke: string;
  width: number;
}

/** A line of ASCII text, centred on its point. `size` is the height of a capital letter. */
interface TextShape {
  type: "text";
  at: [number, number];
  text: string;
  size: number;
  colour: string;
  turn: number;
}

interface OptionShown {
  name: string;
  kind: "choice" | "each" | "number" | "player" | "several" | "switch";
  title: string;
  note: string;
  rule: string;
  usual: any;
  value: any;
  choices: ChoiceShown[];
  least: number | null;
  most: number | null;
  optional: boolean;
}

interface ChoiceShown {
  value: any;
  title: string;
}

interface PresetShown {
  title: string;
  options: Record<string, any>;
  own: boolean;
}

/** Why the match cannot start, and the field of the page that it is about. */
interface ObstacleShown {
  text: string;
  field: string;
}

/** A camera, a panel or the timer. */
interface SenseShown {
  state: "ok" | "missing" | "simulated" | "trouble";
  text: string;
}

interface RulesBootstrap {
  language: string;
  words: Record<string, string>;
  game: string;
}

interface SitBody {
  place: number;
  name: string;
  claim?: boolean;
}

interface ArrangeBody {
  what: "drop_preset" | "forget" | "game" | "keep_preset" | "options" | "stand" | "start" | "swap";
  data?: Record<string, any>;
}

interface NextBody {
  to: "confirm" | "lobby" | "rematch" | "rotate";
}

interface RenewBody {
  place: number;
}

/** With what people log in: for the referee, and for the table's own screen. */
interface CodesAnswer {
  seats: SeatCode[];
  address: string;
  referee_pin: string;
}

interface SeatCode {
  place: number;
  name: string;
  pin: string;
}

interface ChecksAnswer {
  checks: CheckShown[];
}

interface CheckShown {
  name: string;
  state: "off" | "ok" | "trouble";
  text: string;
  link: string;
  command: string;
  fix: string;
}

/** It was accepted. */
interface Done {
  ok: boolean;
}

/** It was not accepted, and why. */
interface Trouble {
  text: string;
  refused?: string[];
  ask?: boolean;
  row?: string;
  field?: string;
}

interface TapBody {
  what: "answer" | "award" | "call" | "concede" | "correct" | "end" | "mend" | "move" | "oops" | "pause" | "ready" | "rename" | "resume" | "rule" | "time" | "undo";
  data?: Record<string, any>;
  as?: string | null;
}

interface UndoBody {
  why: string;
  moves?: number;
}

interface CorrectBody {
  zone: string;
  card: string | null;
  rotation?: number;
}

/** The referee moves the time limit. */
interface TimeBody {
  seconds: number;
  why: string;
}

/** The referee gives points, damage or wounds; takes them, where the number is negative. */
interface AwardBody {
  player: string;
  points: number;
  why: string;
}

/** A ruling by hand. */
interface RuleBody {
  say: string;
}

/** The referee ends the match. */
interface EndBody {
  how: "abandoned" | "agreed" | "conceded" | "disqualified";
  why: string;
  player?: string | null;
  winners?: string[] | null;
}

interface RenameBody {
  player: string;
  name: string;
}

/** The referee's answer to the offer to put a misread move right. */
interface MendBody {
  accept: boolean;
  why?: string;
}

/** The referee comes to the player who calls; a player takes back their own call. */
interface AnswerBody {
  player?: string | null;
}

interface ConcedeBody {
  why?: string;
}

/** What taking back some moves comes to. */
interface Undoing {
  undoes: Told[];
  put_back: string[];
}

/** A sentence with the rules that it comes from. */
interface Told {
  rules: string[];
  text: string;
}

interface LoginBody {
  role: string | number;
  pin: string;
}

interface LogoutBody {
  role?: string | number | null;
}

interface RuleShown {
  text: string;
  origin: string;
}

/** Our own drawings of this match's cards, as shapes, and what people call the cards. */
interface DeckShown {
  cards: Record<string, Face>;
  back: Face | null;
  names: Record<string, string>;
  moves: Record<string, string>;
}

interface Topic {
  title: string;
  rules: string[];
  drawing: Squares | Branches | Examples;
}

/** Squares round a piece, as far as anything reaches. */
interface Squares {
  diagram: "squares";
  struck: [number, number][][];
}

interface Branches {
  diagram: "branches";
  nodes: Node[];
  arrows: [number, number][];
}

interface Node {
  title: string;
  kind: string;
  at: [number, number];
}

interface Examples {
  diagram: "cards";
  cards: string[];
}

interface ValuesBody {
  values: Record<string, Record<string, any>>;
}

interface SavedAnswer {
  rows: PrintedRowShown[];
  ok: boolean;
}

interface MeasureBody {
  clear: boolean;
  sure?: boolean;
}

interface TakeBody {
  card: string;
  look: number;
  instead?: boolean;
}

interface DropBody {
  card: string;
  place: number;
  revision: number;
}

interface AnewBody {
  revision: number;
}

interface RememberBody {
  zone: string;
  card: string;
}

/** There is nothing to look at, and why. To a page that only looks, that is an answer like any other: cameras come */
interface Blind {
  blind: string;
}

/** `Aim` in words. */
interface AimShown {
  look: number;
  size: [number, number];
  markers: Record<string, [number, number][]>;
  hidden: Record<string, [number, number][] | null>;
  zones: Record<string, [number, number][]>;
  places: Record<string, string>;
  fits: boolean;
  words: string[];
  scale: number;
  measured: boolean;
  sheet: boolean;
}

/** `Spot` in words. */
interface SpotShown {
  look: number;
  size: [number, number];
  card: [number, number][] | null;
  still: boolean;
  known: string | null;
  words: string[];
}

/** `Known` in words. */
interface KnownShown {
  deck: string;
  cards: CardKnown[];
  revision: number;
  used: boolean;
  twins: [string, string][];
  trouble: string;
}

interface CardKnown {
  card: string;
  name: string;
  looks: number;
}

interface ReadingsAnswer {
  readings: ReadingShown[];
}

/** `Reading` in words. */
interface ReadingShown {
  zone: string;
  place: string;
  card: string | null;
  guesses: string[];
  rotation: number;
  confidence: number;
  look: number;
  corners: [number, number][];
}

interface RememberAnswer {
  card: string;
  place: number;
  revision: number;
}

interface CameraBootstrap {
  language: string;
  words: Record<string, string>;
  referee: boolean;
  encrypted: boolean;
}

interface BeginBody {
  phone: string;
  instead?: boolean;
}

interface LeaveBody {
  phone: string;
}

/** `PhoneState` in words. */
interface PhoneShown {
  chosen: boolean;
  sends: boolean;
  phone: string;
  size: [number, number];
  rate: number;
  late: number;
  own: string;
  text: string;
}

/** Everything about the seconds around a ruling. Times are seconds since the first picture. */
interface Dispute {
  frames: ClipFrame[];
  seconds: number;
  players: string[];
  clock: number;
  presses: PressHeard[];
  order: string;
  counts: CountHeard[];
  readings: ReadingThen[];
  sentences: SentenceThen[];
  back: number;
}

/** Where a picture stands in the file. */
interface ClipFrame {
  at: number;
  start: number;
  size: number;
}

/** Somebody pressed ready. `at` may be wrong by `uncertainty`. */
interface PressHeard {
  player: string;
  at: number;
  uncertainty: number;
  tapped: boolean;
  clock: string;
  stamp: number;
}

/** The reveal reached another stage, or the count another number. */
interface CountHeard {
  at: number;
  stage: string;
  count: number;
}

/** What the camera made of one place, from then on. */
interface ReadingThen {
  at: number;
  zone: string;
  place: string;
  cards: CardThen[];
}

/** A card as the camera had it. */
interface CardThen {
  name: string;
  face_up: boolean;
  confidence: number;
  guesses: string[];
  x: number;
  y: number;
}

/** A ruling, a call or a refusal. */
interface SentenceThen {
  at: number;
  kind: string;
  rules: string[];
  line: number;
  text: string;
}

interface HistoryBootstrap {
  language: string;
  words: Record<string, string>;
  referee: boolean;
  games: Record<string, string>;
  players: string[];
  wanted: WantedMatches;
  found: MatchesAnswer;
  page: null;
}

/** Which matches somebody asks for. Empty: all. */
interface WantedMatches {
  game: string;
  player: string;
  day: string;
}

interface MatchesAnswer {
  total: number;
  start: number;
  left: number;
  matches: MatchShown[];
  faults: string[];
}

interface MatchShown {
  name: string;
  game: string;
  title: string;
  began: string;
  seats: SeatListed[];
  seconds: number;
  moves: number;
  over: boolean;
  running: boolean;
  told: boolean;
  ending: string;
  fault: string;
}

interface SeatListed {
  name: string;
  won: boolean;
}

interface TitleBody {
  title: string;
}

interface ImportBody {
  file: string;
  data: string;
}

interface ImportAnswer {
  brought: BroughtShown[];
}

interface BroughtShown {
  file: string;
  name: string;
  reason: string;
}

/** What deleting a match takes away. */
interface GoingAnswer {
  told: string[];
  size: number;
}

interface PeopleBootstrap {
  language: string;
  words: Record<string, string>;
  referee: boolean;
  games: Record<string, string>;
  days: string[];
  wanted: WantedMatches;
  found: StandingsAnswer;
  page: null;
}

interface StandingsAnswer {
  left: number;
  lines: StandingLine[];
}

/** One person over all games that were asked for. */
interface StandingLine {
  name: string;
  matches: number;
  wins: number;
  shared: number;
}

interface PersonAnswer {
  name: string;
  games: PersonShown[];
  against: HeadToHead[];
  names: string[];
  anonymous: boolean;
}

/** One person in one game. */
interface PersonShown {
  game: string;
  matches: number;
  wins: number;
  figures: FigureLine[];
  thought: number | null;
  answers: number;
  favourites: FavouriteLine[];
  favourites_title: string;
  cost_title: string;
}

interface FigureLine {
  title: string;
  total: number;
  mean: number;
  round_title: string;
  a_round: number | null;
}

interface FavouriteLine {
  name: string;
  times: number;
  cost: number | null;
}

interface HeadToHead {
  one: string;
  other: string;
  matches: number;
  one_won: number;
  other_won: number;
  both_won: number;
  neither_won: number;
  games: [string, number, number, number][];
}

interface WishBody {
  what: "anonymous" | "merge" | "named" | "split";
  name: string;
  into?: string;
}

interface ReviewBootstrap {
  language: string;
  words: Record<string, string>;
  role: string;
  referee: boolean;
  game: string;
  match: MatchShown;
  moments: MomentShown[];
  page: AnyPage;
  kept: KeptShown[];
  fault: string;
  verified: string[];
  proven: number;
}

/** One of the places where the scrubber can stand. */
interface MomentShown {
  line: number;
  kind: string;
  text: string;
  at?: number | null;
  by?: string;
  rules?: string[];
  undone?: boolean;
}

/** The picture and the clip of one sentence, or of several that were said within seconds. */
interface KeptShown {
  line: number;
  picture?: string;
  clip?: string;
  text?: string;
}

/** What has been added to a match since somebody last asked. */
interface MomentsAnswer {
  running: boolean;
  moments: MomentShown[];
  undone: number[];
  kept: KeptShown[];
  fault: string;
}

interface FramesShown {
  first: AnyPage | null;
  changes: FrameChange[];
}

/** What is new on the page of a moment. */
interface FrameChange {
  line: number;
  fields?: Record<string, any>;
  said?: SaidChange | null;
  tally?: TallyChange | null;
}

interface SaidChange {
  first: number;
  put: SaidShown<any>[];
}

/** A ruling, an act of the referee, a refusal, a call or a notice. */
interface SaidShown<Happening> {
  number: number;
  kind: string;
  rules: string[];
  text: string;
  players: string[];
  line: number;
  happened: Happening | null;
  taken_back: boolean;
  picture?: string;
  clip?: string;
}

interface TallyChange {
  keep: number;
  add: StandingAt[];
}

interface StandingAt {
  moves: number;
  tally: number[];
}

interface UpkeepBootstrap {
  language: string;
  words: Record<string, string>;
  settings: SettingsShown[];
  file: string;
  backups: KeptBackup[];
  stick: Stick | null;
}

interface SettingsShown {
  title: string;
  settings: SettingShown[];
}

interface SettingShown {
  name: string;
  about: string;
  kind: "choice" | "list" | "number" | "secret" | "switch" | "text";
  value: any;
  choices: string[];
  origin: string;
  fixed: boolean;
  live: boolean;
}

interface KeptBackup {
  name: string;
  kilobytes: number;
  day: string;
}

/** A USB stick that is plugged in, and about which nobody has said anything yet. */
interface Stick {
  name: string;
  free_megabytes: number;
}

interface WelcomeBootstrap {
  language: string;
  words: Record<string, string>;
  steps: string[];
  awaited: string[];
  referee: boolean;
}

interface DoctorShown {
  checks: CheckShown[];
  told: string[];
}

interface SettingsBody {
  values: Record<string, any>;
}

interface SettingsAnswer {
  settings: SettingsShown[];
  told: string[];
}

interface BackupAnswer {
  text: string;
  backups: KeptBackup[];
  stick: Stick | null;
}

interface StickBody {
  answer: "always" | "never" | "now";
}

interface StepBody {
  step: string;
}

interface ClaimBody {
  pin: string;
}

interface VenueBootstrap {
  language: string;
  words: Record<string, string>;
  role: string;
  build: string;
  games: GameChoice[];
  address: string;
  page: VenuePage;
}

interface GameChoice {
  id: string;
  title: string;
  least: number;
  most: number;
}

interface VenuePage {
  version: number;
  build: string;
  name: string;
  now: number;
  broker: boolean;
  round: RoundOut;
  kind: string;
  tables: WallTable[];
  rounds: RoundShown[];
  breaks: BreakShown[];
  standings: StandingRow[];
  entrants: EntrantShown[];
  alarms: AlarmShown[];
  penalties: PenaltyShown[];
}

/** Retained: where the tournament stands, for lights and speakers. */
interface RoundOut {
  v: number;
  title: string;
  round: number;
  rounds: number;
  stage: "break" | "called" | "none" | "over" | "playing" | "registration";
  ends: number;
  paused: boolean;
}

interface WallTable {
  id: string;
  name: string;
  here: boolean;
  stage: string;
  count: number;
  game: string;
  title: string;
  board: number;
  players: WallPlayer[];
  unit: string;
  reached: number;
  running: boolean;
  limit: number | null;
  age: number;
  calls: string[];
  said: string[];
  excitement: number;
  trouble: string[];
  unsent: number;
  behind: boolean;
}

interface WallPlayer {
  name: string;
  standing: number | null;
  awaited: boolean;
  ready: boolean;
  won: boolean;
}

interface RoundShown {
  number: number;
  pairings: PairingShown[];
  byes: string[];
}

interface PairingShown {
  board: number;
  table: string;
  table_id: string;
  players: string[];
  points: number[];
  held: boolean;
  by_hand: string;
}

interface BreakShown {
  name: string;
  explained: string;
}

interface StandingRow {
  rank: number;
  id: number;
  name: string;
  points: number;
  breaks: number[];
  played: number;
  left: boolean;
}

interface EntrantShown {
  id: number;
  name: string;
  left: boolean;
}

interface AlarmShown {
  number: number;
  table: string;
  text: string;
}

interface PenaltyShown {
  number: number;
  name: string;
  points: number;
  why: string;
}

interface BeginTournamentBody {
  what: "begin";
  rules: TournamentRules;
}

interface TournamentRules {
  title: string;
  kind: "knockout" | "round_robin" | "swiss" | "tables";
  game: string;
  options?: Record<string, any>;
  rounds?: number;
  least?: number;
  most?: number;
  minutes?: number;
  between?: number;
  alone?: boolean;
  hold?: boolean;
  seed?: number;
}

interface CodeAnswer {
  code: string;
  address: string;
}

/** The match and the table as one viewer may see them. */
interface TablePage<View, Move, Happening, Advice> {
  version: number;
  build: string;
  match: string;
  game: string;
  title: string;
  players: string[];
  viewer: string | null;
  view: View;
  moves: number;
  stage: string;
  count: number;
  paused: boolean;
  awaited: string[];
  waits: Record<string, number>;
  awaits: string[];
  prompts: Record<string, string>;
  phases: Record<string, string>;
  ready: string[];
  choices: Move[];
  oops_until: number | null;
  read_aloud: ReadAloud[];
  cursor: number;
  clock: ClockShown;
  order: string;
  turned_up: Record<string, Move>;
  advice: Advice | null;
  said: SaidShown<Happening>[];
  senses: Record<string, SenseShown>;
  questions: Question[];
  calls: Record<string, number>;
  put_back: string[];
  awards: string[];
  offer: string;
  over: boolean;
  review: boolean;
  hand: HandShown | null;
  record: KifuHead | null;
  tally: TallyShown;
}

interface ReadAloud {
  place: string;
  cards: string[];
}

/** Where the match clock stood at `now`; the browser counts on from there. */
interface ClockShown {
  reached: number;
  running: boolean;
  limit: number | null;
  now: number;
}

/** A card that the camera is not sure of. */
interface Question {
  zone: string;
  place: string;
  guesses: string[];
  rotation: number;
}

/** What somebody who sits at the virtual table holds, and what the virtual hands ask. Only that seat is sent it. */
interface HandShown {
  cards: string[];
  question: HandQuestionShown | null;
}

interface HandQuestionShown {
  number: number;
  text: string;
  options: HandOptionShown[];
  least: number;
  most: number;
  beside: boolean;
}

interface HandOptionShown {
  title: string;
  card: string;
}

/** The end of a kifu at some moment: its check stands for every line so far. */
interface KifuHead {
  file: string;
  line: number;
  check: string;
  key: string;
}

interface TallyShown {
  title: string;
  steps: StandingAt[];
}

/** For a page that follows the match: enough to draw it at once. */
interface LiveBootstrap<View, Move, Happening, Advice> {
  language: string;
  words: Record<string, string>;
  role: string;
  reveals: string[];
  build: string;
  arranges: boolean;
  virtual: boolean;
  of: string;
  page: TablePage<View, Move, Happening, Advice>;
}

interface Offer<Move> {
  moves: Move[];
  parts: Record<string, Parts>;
}

/** What a kind of move is put together from, where there are too many combinations to list them all. */
interface Parts {
  field: string;
  of: Record<string, number>;
  least: number;
  most: number;
}

interface AdviceAnswer<Advice> {
  advice: Advice | null;
}

declare namespace HighCard {
  interface HighCardView {
    round: number;
    scores: Record<string, number>;
    played: Record<string, string[]>;
    over: boolean;
    winners: string[];
  }

  /** A card lies face down. Which one it is stays its player's secret, so the move does not say. */
  interface LayCard {
    move: "lay";
  }

  /** At the count of three. */
  interface ShowCard {
    move: "turn_up";
    card: string;
  }

  interface RoundWon {
    what: "round_won";
    player: string;
    card: string;
  }

  interface RoundTied {
    what: "round_tied";
    players: string[];
  }

  type View = HighCardView;

  type Move = LayCard | ShowCard;

  type Happening = RoundWon | RoundTied;

  type Advice = never;

  type Page = TablePage<View, Move, Happening, Advice>;
}

declare namespace SanNiIchi {
  interface SanNiIchiView {
    you: string | null;
    round: number;
    phase: "attack" | "damage" | "over" | "selection";
    over: boolean;
    winners: string[];
    scoring: string;
    seats: SanNiIchiSeat[];
    order: OrderedCard[];
    next: number | null;
    now: RuleNote;
    reminders: RuleNote[];
    may: PossiblePlay[];
    barred: Record<string, RuleNote>;
    block: RuleNote[];
    asked: string[];
    weapons: DisplayedWeapon[];
    discards: string[];
    names: Record<string, string>;
  }

  interface SanNiIchiSeat {
    name: string;
    hand: number;
    selected: boolean;
    card: string | null;
    played: boolean;
    lies: "crosswise" | "upright" | null;
    pile: string[];
    strength: number | null;
    element: string | null;
    beaten_by: string | null;
    caption: string | null;
    blocked: boolean;
    taken: number;
    total: number | null;
    mate: string | null;
  }

  /** A card in the order of play. */
  interface OrderedCard {
    player: string;
    card: string;
    strength: number;
    letter: string;
    played: boolean;
    why: RuleNote;
  }

  /** A sentence on the page with the rule that it comes from. */
  interface RuleNote {
    rule: string;
    text: string;
  }

  /** Something that the next card may do, and to whom. */
  interface PossiblePlay {
    move: string;
    players: string[];
  }

  interface DisplayedWeapon {
    card: string;
    strength: number;
    letter: string;
    damage: number;
    origin: string;
  }

  /** A card lies face down and crosswise in front of its player. */
  interface SelectFaceDown {
    move: "select";
  }

  /** The hand holds only smoke bombs: they are shown and nothing is selected. */
  interface SitOut {
    move: "sit_out";
    cards?: string[] | string | null;
  }

  /** The selected card is turned up, together with everybody else's. */
  interface TurnUpSelected {
    move: "reveal";
    card: string;
  }

  /** An attack card, or a Yoso Kogeki, goes onto a Combat Pile. */
  interface PlayOnPile {
    move: "play";
    on: string;
    counter?: string | null;
    element?: string | null;
  }

  /** The revealed card is discarded unused. */
  interface GiveUpCard {
    move: "discard";
  }

  interface UseBlock {
    move: "block";
    for?: string | null;
  }

  interface UseSai {
    move: "sai";
    swap: string[];
  }

  interface UseShuriken {
    move: "shuriken";
    target: string;
  }

  interface UseTonfa {
    move: "tonfa";
    from: string;
    discard?: string | null;
  }

  interface UseSmokeBomb {
    move: "smoke";
    draw?: string | null;
    for?: string | null;
    card?: string | null;
  }

  /** No smoke bomb this round. */
  interface NoSmokeBomb {
    move: "pass";
  }

  interface CardDiscarded {
    what: "discarded";
    player: string;
    card: string;
  }

  /** A card of a Combat Pile went into a hand, by a Tonfa or after a smoke bomb. */
  interface CardDrawn {
    what: "drawn";
    player: string;
    card: string;
    source: string;
  }

  interface ShurikenThrown {
    what: "thrown";
    player: string;
    card: string;
    target: string;
  }

  /** A whole Combat Pile went into its owner's Damage Pile, face down. Everybody saw which cards were in it. */
  interface PileTaken {
    what: "taken";
    player: string;
    cards: string[];
  }

  type View = SanNiIchiView;

  type Move = SelectFaceDown | SitOut | TurnUpSelected | PlayOnPile | GiveUpCard | UseBlock | UseSai | UseShuriken | UseTonfa | UseSmokeBomb | NoSmokeBomb;

  type Happening = CardDiscarded | CardDrawn | ShurikenThrown | PileTaken;

  type Advice = never;

  type Page = TablePage<View, Move, Happening, Advice>;
}

declare namespace SenSo {
  interface SenSoView {
    board: [number, number];
    seats: NinjaView[];
    strikes: StrikeView[];
    phase: "attack" | "glance" | "guard" | "over" | "pre_actions" | "select" | "setup";
    set: number;
    clock: number;
    end: End;
    over: boolean;
    winners: string[];
    inventory: InventoryView | null;
  }

  interface NinjaView {
    name: string;
    facing: number;
    cell: string | null;
    score: number;
    endurance: number | null;
    weapon: string | null;
    block: "B" | "BL" | "BR" | "F" | "FL" | "FR" | "L" | "R" | "hidden" | null;
    momentum: boolean;
    acted: boolean;
    thrown: number;
    out: boolean;
    loadout: string[] | null;
    second: string | null;
  }

  /** An attack that is not scored yet. */
  interface StrikeView {
    by: string;
    card: string;
    arrow: number;
    choices: string[];
    target: string | null;
  }

  /** How a match ends. Exactly one of the three is set. */
  interface End {
    time: number | null;
    actions: number | null;
    points: number | null;
  }

  /** While somebody has to choose weapons: how much room each takes, and how much there is (SEN-10). */
  interface InventoryView {
    spaces: Record<string, number>;
    room: number;
  }

  /** Choose the weapons of this match; Shuriken once per card. */
  interface Arm {
    move: "arm";
    weapons: string[];
  }

  /** A card lies face down in each of these places. */
  interface Set {
    move: "set";
    slots: ("action1" | "action2" | "block" | "weapon")[];
  }

  /** The start weapon is turned up. */
  interface Show {
    move: "show";
    weapon: string;
  }

  /** The first action was a block: it takes the old one's place, unseen. */
  interface ChangeBlock {
    move: "change_block";
  }

  /** The first action was a weapon: it takes the old one's place. */
  interface ChangeWeapon {
    move: "change_weapon";
    weapon: string;
  }

  /** SEN-A5: the first action was a weapon, and it takes the block's place. */
  interface SecondWeapon {
    move: "second_weapon";
    weapon: string;
  }

  /** SEN-A4: a face-up block is turned by one angle. */
  interface RotateBlock {
    move: "rotate_block";
    direction: "B" | "BL" | "BR" | "F" | "FL" | "FR" | "L" | "R";
  }

  /** The first action is turned up. */
  interface RevealAction {
    move: "reveal";
    card: string;
    direction?: string | null;
  }

  /** The one location that is attacked. */
  interface AimAt {
    move: "aim";
    cell: string;
  }

  /** SEN-A3 `choice`: what a glancing attack counts as. */
  interface AsGlance {
    move: "glance";
    result: "attack" | "blow" | "wound";
  }

  /** The hidden block is turned up because it stops a blow, or it does not face that side. */
  interface ShowBlock {
    move: "guard";
    direction: "B" | "BL" | "BR" | "F" | "FL" | "FR" | "L" | "R" | null;
  }

  /** SEN-A1: give up. */
  interface Concede {
    move: "concede";
  }

  /** Somebody went from one space to another, bouncing back included. */
  interface NinjaMoved {
    what: "moved";
    player: string;
    start: string;
    cell: string;
  }

  /** Somebody ran into the wall or into another player, and ended on this space. */
  interface NinjaCollided {
    what: "collided";
    player: string;
    cell: string;
  }

  /** An attacker chose a space, which may be empty. */
  interface AttackAimed {
    what: "aimed";
    attacker: string;
    start: string;
    cell: string;
  }

  /** A blow landed on the space where the defender stands. */
  interface NinjaStruck {
    what: "struck";
    attacker: string;
    defender: string;
    start: string;
    cell: string;
    blocked: boolean;
  }

  /** Two players struck each other and both blocked: nobody scores. */
  interface BlowsExchanged {
    what: "exchanged";
    attacker: string;
    defender: string;
    start: string;
    cell: string;
  }

  /** An attack landed next to these players. */
  interface AttackGlanced {
    what: "glanced";
    attacker: string;
    others: string[];
    start: string;
    cell: string;
  }

  type View = SenSoView;

  type Move = Arm | Set | Show | ChangeBlock | ChangeWeapon | SecondWeapon | RotateBlock | RevealAction | AimAt | AsGlance | ShowBlock | Concede;

  type Happening = NinjaMoved | NinjaCollided | AttackAimed | NinjaStruck | BlowsExchanged | AttackGlanced;

  type Advice = never;

  type Page = TablePage<View, Move, Happening, Advice>;
}

declare namespace Senjutsu {
  interface SenjutsuView {
    viewer: string | null;
    round: number;
    phase: string;
    over: boolean;
    winners: string[];
    columns: number;
    rows: number;
    terrain: Record<string, string>;
    advantage: string[];
    order: WaitingView[];
    blocks: BlockView[];
    acting: string | null;
    asked: string | null;
    question: string[];
    line: string;
    asks: string | null;
    alternatives: string[];
    samurai: SamuraiView[];
    names: Record<string, string>;
  }

  interface WaitingView {
    player: string;
    card: string;
    speed: number | null;
    reach: string[];
  }

  /** A block that protects its samurai until the end of the round. */
  interface BlockView {
    player: string;
    speed: number;
    hexes: string[];
  }

  interface SamuraiView {
    player: string;
    samurai: string;
    hex: string | null;
    facing: string;
    kamae: string;
    tree: Record<string, string[]>;
    wounds: string[];
    health: number;
    stuns: number;
    hand: number;
    deck: number;
    discards: (string | null)[];
    played: string[];
    defeated: boolean;
  }

  /** A card lies face down by the opponent's. */
  interface SelectCard {
    move: "select";
  }

  interface RevealCard {
    move: "reveal";
    card: string;
  }

  interface ChooseSpeed {
    move: "speed";
    value: number;
  }

  /** An instant laid over the player's card of the round. */
  interface LayInstant {
    move: "instant";
    card: string;
  }

  /** No instant now, or an optional line left out. */
  interface PassUp {
    move: "pass";
    rest?: boolean;
  }

  interface StepMove {
    move: "step";
    path?: string[];
    to?: string;
  }

  interface RotateMove {
    move: "rotate";
    facing: string;
  }

  interface KamaeStep {
    move: "kamae";
    to: string;
  }

  interface ChooseLines {
    move: "choose";
    option: number | string;
  }

  /** Take an optional line. */
  interface UseLine {
    move: "use";
  }

  interface DrawUpTo {
    move: "draw";
    cards: number;
  }

  /** Cards that an opponent's card forces out of the hand, face up. */
  interface DiscardForced {
    move: "discard";
    cards: string[];
  }

  interface SamuraiMoved {
    what: "moved";
    player: string;
    start: string;
    end: string;
  }

  interface SamuraiTurned {
    what: "turned";
    player: string;
    facing: string;
  }

  interface SamuraiStruck {
    what: "struck";
    attacker: string;
    defender: string;
    start: string;
    end: string;
  }

  interface AttackBlocked {
    what: "blocked";
    attacker: string;
    defender: string;
    start: string;
    end: string;
  }

  /** Wound cards were taken. */
  interface SamuraiWounded {
    what: "wounded";
    player: string;
    cards: number;
    bleeding: boolean;
  }

  /** Deck cards went to the discards because of bleeding wounds. */
  interface SamuraiBled {
    what: "bled";
    player: string;
    cards: number;
  }

  interface SamuraiStunned {
    what: "stunned";
    player: string;
    cards: number;
    hex: string;
    by: "card" | "collision" | "empty_deck" | "obstacle";
  }

  interface SamuraiDefeated {
    what: "defeated";
    player: string;
    hex: string;
  }

  interface CardsDrawn {
    what: "drew";
    player: string;
    cards: number;
  }

  interface CardsDiscarded {
    what: "discarded";
    player: string;
    cards: (string | null)[];
  }

  /** What lies or stands somewhere else than the rules have it, for people to put right. */
  interface SenjutsuAdvice {
    strays: Record<string, [string, string]>;
    wounds: Record<string, [number, number]>;
    rings: Record<string, [string, string]>;
  }

  type View = SenjutsuView;

  type Move = SelectCard | RevealCard | ChooseSpeed | LayInstant | PassUp | StepMove | RotateMove | KamaeStep | ChooseLines | UseLine | DrawUpTo | DiscardForced;

  type Happening = SamuraiMoved | SamuraiTurned | SamuraiStruck | AttackBlocked | SamuraiWounded | SamuraiBled | SamuraiStunned | SamuraiDefeated | CardsDrawn | CardsDiscarded;

  type Advice = SenjutsuAdvice;

  type Page = TablePage<View, Move, Happening, Advice>;
}

declare namespace Sensu {
  interface SensuView {
    turn: string;
    phase: string;
    deck: number;
    seats: FanSeatView[];
    redeemed: FanCardView[];
    closed_stacks: Record<string, number>;
    variants: string[];
    over: boolean;
    winners: string[];
    solo: SoloView | null;
  }

  interface FanSeatView {
    player: string;
    hand: number;
    discards: FanCardView[];
    fans: FanView[];
    chosen: string | null;
  }

  interface FanCardView {
    card: string;
    type: string;
    values: number[];
    winds: number;
    sticks: number;
    symbol: boolean;
  }

  interface FanView {
    type: string;
    title: string;
    cards: FanCardView[];
    sticks: number;
    missing: number;
    closed: boolean;
    letter: string;
  }

  interface SoloView {
    columns: FanCardView[][];
    score: number;
    level: string;
    level_title: string;
  }

  /** A card into the hand; in the solo game `card` goes `to` the discards or a column. */
  interface DrawFanCard {
    move: "draw";
    from?: string | null;
    card?: string | null;
    to?: string | null;
  }

  interface DiscardFanCard {
    move: "discard";
    card: string;
  }

  interface Combine {
    move: "combine";
    cards: string[];
    redeem?: string[];
    wild?: number | null;
    discard?: string[] | null;
  }

  interface PlaceRedeemed {
    move: "place";
    cards?: string[];
  }

  /** Only where there is nothing left to draw. */
  interface PassTurn {
    move: "pass";
  }

  interface Wisdom {
    move: "wisdom";
    from: string;
    card?: string | null;
  }

  interface Harmony {
    move: "harmony";
    from: string;
  }

  interface Courage {
    move: "courage";
    fans?: Record<string, string>;
  }

  interface Chosen {
    move: "chosen";
    fan: string;
  }

  interface DrewFanCard {
    what: "drew";
    player: string;
    source: string;
    card: string | null;
    place: string | null;
  }

  interface LaidCombination {
    what: "laid";
    player: string;
    cards: string[];
  }

  interface RedeemedCards {
    what: "redeemed";
    player: string;
    cards: string[];
  }

  /** Cards that went face up onto the player's own pile, the last one on top. */
  interface DiscardedCards {
    what: "discarded";
    player: string;
    cards: string[];
  }

  /** A card joined a fan. */
  interface BuiltFan {
    what: "built";
    player: string;
    fan: string;
    card: string;
    sticks: number;
  }

  interface ClosedFan {
    what: "closed";
    player: string;
    fan: string;
  }

  /** Courage took the last card of a fan. */
  interface LostFanCard {
    what: "lost";
    player: string;
    fan: string;
    card: string;
  }

  interface ReshuffledDiscards {
    what: "reshuffled";
    cards: number;
  }

  /** Help with the cards that the player whose turn it is lays; everybody sees it. */
  interface SensuAdvice {
    player: string;
    laid: CombinationAdvice | null;
    fits: FanFit[];
    missing: Record<string, number>;
    on_table: CombinationAdvice[];
    best: BestCombination | null;
  }

  /** About some cards laid together. */
  interface CombinationAdvice {
    cards: string[];
    wild: number | null;
    total: number;
    short: number;
    bonuses: Told[];
    redeem: string[][];
    fits: FanFit[];
    redeem_rule: string;
    bonus_rule: string;
  }

  /** What a card would do in the fan of its type now. */
  interface FanFit {
    card: string;
    fan: string;
    sticks: number;
    closes: boolean;
    obstacle: Told | null;
  }

  /** The combination to play now, for the highest score that can be reached without another draw. */
  interface BestCombination {
    cards: string[];
    redeem: string[];
    score: number;
  }

  type View = SensuView;

  type Move = DrawFanCard | DiscardFanCard | Combine | PlaceRedeemed | PassTurn | Wisdom | Harmony | Courage | Chosen;

  type Happening = DrewFanCard | LaidCombination | RedeemedCards | DiscardedCards | BuiltFan | ClosedFan | LostFanCard | ReshuffledDiscards;

  type Advice = SensuAdvice;

  type Page = TablePage<View, Move, Happening, Advice>;
}
