// The panel for decisions of the user during a sign-in, and what each answer does.

import { call } from "./calls.js";
import { data, providerName, text } from "./data.js";
import { button, byID, element, fill, show } from "./elements.js";
import { session } from "./session.js";
import { begin } from "./sign-in.js";

/** Shows the panel. Each choice is `[id, label, action]`. */
export function ask(title, body, choices) {
  byID("question-title").textContent = title;
  byID("question-body").textContent = body;
  const buttons = choices.map(([id, label, action], at) =>
    button(id, label, async () => { hide(); await action(); }, { class: at ? undefined : "primary" }));
  fill("question-choices", ...buttons, button("question-close", text("question.close"), hide));
  show("question");
  byID("question").focus();
}

export function hide() { show("question", false); }

/** An account with this address exists, and the provider isn't trusted to sign in to it. */
export function askToConfirm(answer) {
  const ways = (answer.verifiedProvider ?? [])
    .filter((id) => data.providers.some((provider) => provider.id === id));
  const pending = { pendingToken: answer.pendingToken, pendingProvider: answer.providerId };
  ask(
    text("confirm.title"),
    text(ways.length ? "confirm.body" : "confirm.noWay",
      { email: answer.email, provider: providerName(answer.providerId) }),
    ways.map((id) => [
      `confirm-${id.replaceAll(".", "-")}`, text("sign-in.with", { provider: providerName(id) }),
      () => begin(id, { kind: "sign-in", step: "sign-in", ...pending }),
    ]));
}

/**
 * The identity can't be linked here.
 *
 * @param actions `enter(pendingToken)` signs in to the account that has it, `agree(pendingToken, joins)`
 *   links with the person's consent.
 */
export function askAboutConflict(answer, actions) {
  const code = answer.errorMessage.split(" : ")[0];
  const names = { provider: providerName(answer.providerId), email: answer.email };
  const { pendingToken } = answer;
  if (code === "CONSENT_REQUIRED") {
    const { joins } = answer.consentRequired;
    return ask(
      text("consent.title"), text("consent.body", { joins: joins.map(providerName).join(", ") }),
      [["consent-agree", text("consent.agree"), () => actions.agree(pendingToken, joins)]]);
  }
  ask(
    text("conflict.title"), text(`conflict.${code}`, names),
    [["conflict-enter", text("conflict.enter", names), () => actions.enter(pendingToken)]]);
}

/** Repeats a postponed sign-in, with its pending token. */
export function resume(step, pendingToken, more = {}) {
  return call(step, "/v1/accounts:signInWithIdp", {
    requestUri: location.origin, pendingToken, returnSecureToken: true, returnIdpCredential: true,
    ...more,
  });
}

/** Asks for confirmation before an account is deleted. */
export function confirmDeletion() {
  return new Promise((resolve) => {
    const dialog = byID("confirm-deletion");
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "delete"), { once: true });
    dialog.returnValue = "";
    byID("deletion-whose").textContent = session().user.email ?? session().user.localId;
    dialog.showModal();
  });
}

for (const choice of ["delete", "keep"]) {
  byID(`confirm-${choice}`).addEventListener("click", () => byID("confirm-deletion").close(choice));
}
