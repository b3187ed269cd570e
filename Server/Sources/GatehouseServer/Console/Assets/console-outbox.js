// Work at other servers that waits or was given up.

import { api } from "./console-api.js";
import { list, part } from "./console-part.js";
import { t } from "./console-mail-texts.js";
import { badge, bdi, button, buttons, confirm, element, emptyState, field, link, select, table, time, toast } from "./console-ui.js";

const SERVER = "/v2/server";
const SHOWN = 100;
const KINDS = ["send-mail", "deliver-event", "revoke", "exchange-code", "apply-event", "forward-notification"];

/**
 * @param base The project's path or `/v2/server`.
 * @param kind The kind that is shown at first; without it, all.
 */
export function outbox(base, { kind = "", mayChange = true } = {}) {
  const which = select([["", t("queue.all")], ...KINDS.map((one) => [one, t(`work.${one}`)])], kind);
  const failed = select([["", t("queue.any")], ["true", t("queue.failed")]], "");
  const entries = part(async (load) => {
    const rows = await list(`${base}/outbox`, "entries", { kind: which.value, failed: failed.value, pageSize: SHOWN });
    const retryAll = mayChange && rows.some((entry) => entry.failed) && button(t("queue.retryFailed"), async () => {
      const { retried } = await api.post(`${base}/outbox:retryFailed`);
      toast(t("queue.retried", { count: retried }));
      await load();
    });
    return [
      entryTable(base, rows, mayChange, load),
      rows.length === SHOWN && element("p", { class: "quiet" }, t("queue.first", { count: SHOWN })),
      buttons(retryAll, button(t("queue.refresh"), load)),
    ];
  });
  for (const choice of [which, failed]) choice.addEventListener("change", entries.load);
  return element("div", { class: "stack" }, element("p", { class: "quiet" }, t("queue.text")),
    element("div", { class: "row" }, field(t("queue.kind"), which), field(t("queue.state"), failed)), entries);
}

function entryTable(base, rows, mayChange, reload) {
  const path = ({ id }) => `${base}/outbox/${encodeURIComponent(id)}`;
  const name = ({ kind, provider, emailKind }) => [t.has(`work.${kind}`) ? t(`work.${kind}`) : kind, emailKind && t.has(`kind.${emailKind}`) ? t(`kind.${emailKind}`) : emailKind ?? provider].filter(Boolean).join(": ");
  const actions = (entry) => buttons(
    button(t("queue.retry"), async () => { await api.post(`${path(entry)}:retry`); await reload(); }, { class: "small", "aria-label": `${t("queue.retry")}: ${name(entry)}` }),
    button(t("queue.drop"), async () => {
      if (!await confirm({ title: t("queue.drop.title"), text: [t("queue.drop.text"), name(entry)], action: t("queue.drop"), kind: "danger" })) return;
      await api.delete(path(entry));
      await reload();
    }, { class: "danger small", "aria-label": `${t("queue.drop")}: ${name(entry)}` }));
  return table({
    columns: [
      { title: t("queue.work"), cell: (entry) => [name(entry), entry.recipient && [element("br"), bdi(entry.recipient)], element("br"), element("small", {}, time(entry.createTime))], wide: true },
      ...(base === SERVER ? [{ title: t("queue.project"), cell: ({ project }) => link(project, `#/${encodeURIComponent(project)}/overview`) }] : []),
      { title: t("queue.state"), cell: ({ failed, attempts }) => [badge(t(failed ? "queue.givenUp" : "queue.waits"), failed ? "bad" : "warn"), " ", element("small", {}, t("queue.attempts", { count: attempts }))] },
      { title: t("queue.error"), cell: ({ lastError }) => bdi(lastError ?? "–"), wide: true },
      { title: t("queue.next"), cell: ({ nextAttemptTime }) => (nextAttemptTime ? time(nextAttemptTime) : "–") },
      ...(mayChange ? [{ title: "", cell: actions }] : []),
    ],
    rows, empty: emptyState(t("queue.none"), t("queue.none.text")),
  });
}
