// An app's page for tests. A button runs a method of the client, because browsers open popups only after
// a click; the page shows the outcome.
//
// The client is the result of makeClient in google_client.js or own_client.js. It has
//   popup(kind, provider, parameters), redirect(kind, provider, parameters), result(), user(),
//   anonymous(), signOut(), and later(kind), which uses the credential of the last sign-in again; kind
//   is signIn, link or reauth. By email: speak(language), createUser(email, password),
//   signIn(email, password), verify(url), change(email, url), reset(email, url), sendLink(email, url) and
//   followLink(email).
"use strict";

const settings = JSON.parse(document.getElementById("settings").textContent);
const shown = document.getElementById("shown");
window.client = makeClient(settings);
window.wanted = null;

async function show(promise) {
  shown.dataset.state = "running";
  let outcome;
  try {
    outcome = { value: await promise };
  } catch (error) {
    outcome = { error: { code: error.code, message: error.message } };
  }
  shown.textContent = JSON.stringify(outcome, null, 1);
  shown.dataset.state = "done";
}

document.getElementById("run").addEventListener("click", () => {
  const [method, ...given] = window.wanted;
  show(client[method](...given));
});

// After loading, the page reads the result of a redirect. With `?eager` it opens a popup without a click.
show(location.search === "?eager" ? client.popup("signIn", "google.com", {}) : client.result());
