// The seam between the live pages and the script that draws a game: `create(tools)` gives a `Drawing`.
// `static/games/plain.js` draws any game and is the smallest example.

type AnyPage = TablePage<any, any, any, any>;
type AnyMove = { move: string; [field: string]: any };

/** What somebody may doubt: a sentence of the match, with the picture or the clip that was kept of it. */
type Doubted = Pick<SaidShown<unknown>, "kind" | "rules" | "text" | "line" | "picture" | "clip">;

/** A text in the viewer's language, its facts filled in; the English text is the key. */
type Translate = (template: string, facts?: Record<string, string | number>) => string;

/** Makes a move for whoever uses the page. */
type Send<Move> = (move: Move) => unknown;

type Child = Node | string | false | null | undefined | Child[];

interface DrawingTools {
  t: Translate;
  deck: DeckShown;
  /** The player whose own page this is, or null. */
  own: string | null;
}

interface Standing {
  score: number | null | undefined;
  /** What the score counts, in the number that goes with it: "13 points", "1 point". */
  unit?: string;
  won: boolean;
  out: boolean;
  notes: StandingNote[];
}

/** A short remark beside a player's name; `kind` is its class in the style sheet. */
interface StandingNote {
  text: string;
  kind?: string;
}

interface Drawing<Page extends AnyPage = AnyPage, Move = any, Happening = any> {
  /** Goes where the board is. */
  element: HTMLElement | SVGElement;
  /** Its width divided by its height, where it has a shape of its own. */
  shape?: number;
  /** Draws the page; `news` are the sentences that are new. */
  update(page: Page, before: Page | null, news: SaidShown<Happening>[]): void;
  standing(page: Page, player: string): Standing;
  /** A few words for the head line. */
  progress(page: Page): string;
  /** The player's piece on the board: points fly from there. */
  spot(player: string): Element | null;
  /** What is called at three, two, one, where it is more than the number. */
  call?(count: number): string;
  /** A move in words, for a button. */
  describe(move: Move): string;
  /** Kind of move -> a picker, where a row of buttons would be clumsy. `parts`: what such a move is put together from,
   * where there are too many to list. A button of the class `go` goes into the action bar of the seat's page. */
  pickers: Record<string, (moves: any[], send: Send<any>, parts?: Parts) => HTMLElement>;
}

/** What an element is made with: attributes, and listeners under `on…`. False, null and undefined are left out. */
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;

type Point = [number, number];
