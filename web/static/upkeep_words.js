// What the doctor's lines and the choices of the settings are called. In English they are the words that the command line
// and the file of settings have, so that a guide can name them.

import { t } from "./bootstrap.js";

/** @type {Record<string, () => string>} */
const CHECKS = {
  service: () => t("service"),
  config: () => t("config"),
  python: () => t("python"),
  packages: () => t("packages"),
  data: () => t("data"),
  disk: () => t("disk"),
  speed: () => t("speed"),
  wear: () => t("wear"),
  files: () => t("files"),
  private: () => t("private"),
  groups: () => t("groups"),
  clock: () => t("clock"),
  power: () => t("power"),
  heat: () => t("heat"),
  name: () => t("name"),
  port: () => t("port"),
  tls: () => t("tls"),
  backups: () => t("backups"),
  camera: () => t("camera"),
  exposure: () => t("exposure"),
  focus: () => t("focus"),
  rate: () => t("rate"),
  markers: () => t("markers"),
  calibration: () => t("calibration"),
  cards: () => t("cards"),
  panels: () => t("panels"),
  links: () => t("links"),
  timer: () => t("timer"),
};

/** @type {Record<string, () => string>} */
const CHOICES = {
  everyone: () => t("everyone"),
  players: () => t("players"),
  referee: () => t("referee"),
  delayed: () => t("delayed"),
  masked: () => t("masked"),
  none: () => t("none"),
  gpio: () => t("gpio"),
  simulated: () => t("simulated"),
  never: () => t("never"),
  day: () => t("day"),
  week: () => t("week"),
  ask: () => t("ask"),
  always: () => t("always"),
};

/** @param {string} name */
export const checkName = (name) => (CHECKS[name] ? CHECKS[name]() : name);

/** @param {string} word */
export const choiceName = (word) => (CHOICES[word] ? CHOICES[word]() : word);
