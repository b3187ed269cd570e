// What only Apple needs: an app that moves to another team, and the file that shows who owns a domain.

import { api } from "./console-api.js";
import { t } from "./console-methods-texts.js";
import { part } from "./console-part.js";
import { editor, repeat } from "./console-setup.js";
import { card, details, element, facts, form } from "./console-ui.js";

/** @param path The provider's. */
export function appleExtras(path) {
  const opened = details(t("transfer"));
  // Asks how far a transfer is only when someone looks.
  opened.addEventListener("toggle", () => opened.append(transfer(`${path}/transfer`)), { once: true });
  return [card(element("p", { class: "quiet" }, t("domainFile"), " ", element("code", {}, "--set apple.domainAssociationFile=…")), opened)];
}

function transfer(path) {
  const state = part(async () => {
    const { prepared, moved } = await api.get(path);
    return facts([[t("prepared"), String(prepared)], [t("movedOf"), String(moved)]]);
  });
  const app = { path: "clientId", label: t("transferApp"), hint: t("transferApp?"), placeholder: "com.example.app" };
  return element("div", { class: "stack" },
    element("p", {}, t("transfer.text")), state,
    element("ol", { class: "how" },
      element("li", {}, element("p", {}, t("transfer.1")), step({
        specs: [
          { path: "targetTeamId", label: t("targetTeam"), hint: t("Team ID?"), required: true, maxlength: 10, pattern: "[A-Z0-9]{10}", placeholder: "TEAM222222" }, app,
          {
            label: t("oldKey"), text: t("oldKey.text"), specs: [
              { path: "teamId", label: "Team ID" }, { path: "keyId", label: "Key ID" },
              { path: "privateKey", label: "Private key (.p8)", kind: "file", accept: ".p8" },
            ],
          },
        ],
        submit: t("prepare"), path: `${path}:prepare`, counted: "prepared", refresh: state.load,
        done: (sum) => [element("p", {}, t("prepare.done", { count: sum.prepared, unknown: sum.unknown }))],
      })),
      element("li", {}, element("p", {}, t("transfer.2"))),
      element("li", {}, element("p", {}, t("transfer.3")), step({
        specs: [app], submit: t("finish"), path: `${path}:finish`, counted: "moved", refresh: state.load,
        done: (sum) => [
          element("p", {}, t("finish.done", { count: sum.moved, unknown: sum.unknown, gone: sum.gone })),
          sum.inConflict.length > 0 && element("div", { class: "stack" }, element("p", {}, t("conflict")),
            element("ul", {}, sum.inConflict.map((subject) => element("li", {}, element("code", {}, subject))))),
        ],
      }))));
}

/** A form whose request is repeated until nothing is left, with what was done so far. */
function step({ specs, submit, path, counted, done, refresh }) {
  const edited = editor(specs, {});
  const report = element("div", { class: "stack", role: "status" });
  return form([edited.nodes, report], async () => {
    const { body } = await edited.changes();
    const sum = { prepared: 0, moved: 0, unknown: 0, gone: 0, inConflict: [] };
    try {
      await repeat((pageToken) => api.post(path, { ...body, pageToken }), (answer) => {
        for (const name of ["prepared", "moved", "unknown", "gone"]) sum[name] += answer[name] ?? 0;
        sum.inConflict.push(...answer.inConflict ?? []);
        report.textContent = t("working", { count: sum[counted] });
      });
      report.replaceChildren(...done(sum).filter(Boolean));
    } finally {
      await refresh();
    }
  }, { submit, kind: "plain" });
}
