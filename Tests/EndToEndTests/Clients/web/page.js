// An app's page for tests: a button runs what the story asks for, as browsers open windows for a
// person's click alone, and the page shows what came of it.
//
// A client is one of two: makeClient of google_client.js or own_client.js, and has
//   popup(kind, provider, parameters), redirect(kind, provider, parameters), result(), user(),
//   anonymous(), signOut(), and later(kind), which uses the credential of the last of these again; kind
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

// What a page asks for after it was loaded again; an eager one opens a window before anybody clicked.
show(location.search === "?eager" ? client.popup("signIn", "google.com", {}) : client.result());
