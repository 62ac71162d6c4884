// Looking after the table: what the doctor finds, backups, and the settings with where each comes from.

import { t, upkeep as first } from "./bootstrap.js";
import { byId, h, replace } from "./dom.js";
import { post } from "./tap.js";
import { checkName, choiceName } from "./upkeep_words.js";

const SIGNS = { ok: "✓", trouble: "✗", off: "–" };
/** @type {HTMLButtonElement} */
const fixButton = byId("fix");
/** @type {HTMLButtonElement} */
const againButton = byId("again");
const form = byId("settings");
const bar = byId("save-bar");

/** @param {CheckShown} each */
const finding = (each) =>
  h("li", { class: each.state },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[each.state]),
    h("span", { class: "what" }, checkName(each.name)),
    h("span", { class: "text" }, each.text),
    each.state === "trouble" && (each.command || each.link)
      ? h("span", { class: "mends" },
          each.link ? h("a", { href: each.link }, t("Mend it here")) : null,
          each.command ? h("code", {}, each.command) : null)
      : null);

/**
 * What is wrong stands open; everything else is one line that can be opened.
 * @param {CheckShown[]} checks
 */
function findings(checks) {
  const wrong = checks.filter((each) => each.state === "trouble");
  const well = checks.filter((each) => each.state === "ok").concat(checks.filter((each) => each.state === "off"));
  replace(byId("findings"), wrong.map(finding));
  replace(byId("well-findings"), well.map(finding));
  byId("well").hidden = !well.length;
  byId("well-title").textContent = t("{count} more were looked at", { count: well.length });
  byId("verdict").textContent = wrong.length ? t("To be mended: {count}", { count: wrong.length }) : t("Everything that was looked at is well.");
  fixButton.hidden = !wrong.some((each) => each.fix);
}

async function look() {
  againButton.disabled = true;
  byId("verdict").textContent = t("Looking …");
  try {
    const answer = await fetch("/api/doctor");
    const said = await answer.json();
    if (answer.ok) findings(said.checks);
    else byId("verdict").textContent = said.text;
  } catch (_) {
    byId("verdict").textContent = t("The table does not answer. Nothing was sent.");
  }
  againButton.disabled = false;
}

async function mend() {
  fixButton.disabled = true;
  const answer = await post("/api/doctor/fix", {});
  fixButton.disabled = false;
  byId("mended").textContent = answer.ok ? answer.said.told.join(" ") : answer.text;
  if (answer.ok) findings(answer.said.checks);
}

// --- backups ---

/**
 * @param {KeptBackup[]} backups
 * @param {Stick | null} stick
 */
function kept(backups, stick) {
  replace(byId("backups"), backups.map((each) => h("li", {}, h("b", {}, each.day), h("span", {}, each.name), h("span", {}, `${each.kilobytes} kB`))));
  const place = byId("stick");
  place.hidden = !stick;
  if (!stick) return;
  const labels = { always: t("Always, on this stick"), now: t("Only now"), never: t("Never, on this stick") };
  const choices = Object.entries(labels).map(([answer, label]) =>
    h("button", { type: "button", onclick: () => back("/api/backup/stick", { answer }) }, label));
  replace(place,
    h("p", {}, t("The USB stick {name} is plugged in ({free} MB free). Keep backups on it?", { name: stick.name, free: stick.free_megabytes })),
    h("p", { class: "deeds" }, choices));
}

/**
 * @param {string} path
 * @param {object} body
 */
async function back(path, body) {
  const answer = await post(path, body);
  byId("backed-up").textContent = answer.text;
  if (answer.ok) kept(answer.said.backups, answer.said.stick);
}

// --- settings ---

/** @type {Map<string, {value: () => unknown, first: string, fault: HTMLElement}>} */
const fields = new Map();

/** @param {SettingShown} each */
function input(each) {
  const common = { name: each.name, id: `set-${each.name}`, disabled: each.fixed };
  if (each.kind === "switch") return h("input", Object.assign({ type: "checkbox", checked: Boolean(each.value) }, common));
  if (each.kind === "choice")
    return h("select", common, each.choices.map((word) => h("option", { value: word, selected: word === each.value }, choiceName(word))));
  if (each.kind === "number") return h("input", Object.assign({ type: "number", step: "any", value: each.value }, common));
  if (each.kind === "secret")
    return h("input", Object.assign({ type: "password", inputmode: "numeric", autocomplete: "new-password", placeholder: t("unchanged") }, common));
  return h("input", Object.assign({ type: "text", value: each.kind === "list" ? each.value.join(", ") : each.value }, common));
}

/** @param {SettingsShown[]} groups */
function settings(groups) {
  fields.clear();
  replace(form, groups.map((group) =>
    h("fieldset", {}, h("legend", {}, group.title), group.settings.map((each) => {
      const control = input(each);
      const fault = h("span", { class: "fault", role: "alert" });
      const value = () => {
        if (control instanceof HTMLInputElement && each.kind === "switch") return control.checked;
        if (each.kind === "number") return control.value === "" ? control.value : Number(control.value);
        if (each.kind === "list") return control.value.split(",").map((part) => part.trim()).filter(Boolean);
        return control.value;
      };
      fields.set(each.name, { value, first: JSON.stringify(value()), fault });
      const holds = each.live ? t("at once") : t("from the next start on");
      const when = each.fixed ? t("fixed by {origin}", { origin: each.origin }) : [each.origin, holds].join(" · ");
      return h("label", { class: "setting", for: `set-${each.name}` }, h("span", {}, each.about), control, h("span", { class: "origin" }, `${each.name} · ${when}`), fault);
    }))));
  bar.hidden = true;
}

const changes = () => {
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const [name, field] of fields) if (JSON.stringify(field.value()) !== field.first) values[name] = field.value();
  return values;
};

async function save() {
  for (const field of fields.values()) field.fault.textContent = "";
  const answer = await post("/api/settings", { values: changes() });
  if (answer.ok) {
    settings(answer.said.settings);
    bar.hidden = false;
    byId("saved").textContent = answer.said.told.join(" ");
    look();
    return;
  }
  const wrong = fields.get(answer.said.field);
  if (wrong) wrong.fault.textContent = answer.text;
  byId("saved").textContent = wrong ? "" : answer.text;
}

form.addEventListener("input", () => {
  byId("saved").textContent = "";
  bar.hidden = Object.keys(changes()).length === 0;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
againButton.addEventListener("click", look);
fixButton.addEventListener("click", mend);
byId("back-up").addEventListener("click", () => back("/api/backup", {}));
byId("file").textContent = t("The same settings are in {file}.", { file: first.file });
kept(first.backups, first.stick);
settings(first.settings);
look();
