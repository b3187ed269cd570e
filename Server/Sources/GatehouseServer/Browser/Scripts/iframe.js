// In a frame of an app's page: passes the result of a sign-in on to the page.
//
//   popup.js, in the window that the page opened ──► message ──┐
//   redirect.js, before the page was loaded again ──► storage ─┴─► this frame ──► the page
//
// The result signs a user in. So the script accepts messages only from this server's own pages, and
// gives an event only to a page of the origin that asked for it. Browsers enforce that only pages
// on the project's domains contain this frame: the server names them in its policy.
"use strict";

(() => {
  // Opened as a window, the page isn't protected by that policy: the opener could be any page.
  if (window.parent === window) return;

  const query = new URLSearchParams(location.search);
  const apiKey = query.get("apiKey");
  const appName = query.get("appName");
  const storageKey = "gatehouse.event." + JSON.stringify([apiKey, appName]);
  // As long as the answer itself is valid.
  const keptMilliseconds = 5 * 60 * 1000;
  const types = ["signInVia", "linkVia", "reauthVia"]
    .flatMap((type) => [type + "Popup", type + "Redirect"]);

  // The surrounding page: its origin, or null if it isn't known, in which case the page gets no
  // result; and a function that sends it an event, whose promise says whether the page took the
  // event.
  let page = null;
  let connected;
  const connection = new Promise((resolve) => { connected = resolve; });

  function connect(found) {
    if (page) return;
    page = found;
    connected();
    const kept = takeKept();
    page.send(kept && isOurs(kept) ? kept.event : nothingHappened());
  }

  async function pass(delivery) {
    await connection;
    return isOurs(delivery) ? page.send(delivery.event) : false;
  }

  function isOurs({ origin, event }) {
    if (page.origin !== origin) {
      const around = page.origin ?? "one that the browser doesn't name";
      console.warn(`Gatehouse: a page of ${origin} asked for this sign-in, and this is ${around}.`);
      return false;
    }
    if (event.error) console.warn(`Gatehouse: ${event.error.code}: ${event.error.message}`);
    return true;
  }

  // The event for a page that asks for a redirect's result if there was no redirect.
  function nothingHappened() {
    return {
      type: "unknown", eventId: null, urlResponse: null, sessionId: null, postBody: null,
      tenantId: null,
      error: { code: "auth/no-auth-event", message: "No sign-in came back to this page." },
    };
  }

  // MARK: Incoming results

  function isText(value) { return typeof value === "string"; }

  function isTextOrNull(value) { return value === null || isText(value); }

  function isEvent(event) {
    return typeof event === "object" && event !== null && types.includes(event.type)
      && [event.eventId, event.urlResponse, event.sessionId].every(isTextOrNull)
      && event.postBody === null && event.tenantId === null
      && (event.error === null || isText(event.error?.code) && isText(event.error.message));
  }

  function isForThisPage(delivery) {
    return typeof delivery === "object" && delivery !== null && delivery.apiKey === apiKey
      && delivery.appName === appName && isText(delivery.origin) && isEvent(delivery.event);
  }

  // Only once: reloading the page must not sign the user in a second time.
  function takeKept() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(storageKey));
      sessionStorage.removeItem(storageKey);
      const age = Date.now() - kept?.at;
      return isForThisPage(kept) && age >= 0 && age < keptMilliseconds ? kept : null;
    } catch {
      // The browser stores nothing for frames. Popups don't need storage.
      return null;
    }
  }

  // Offers are repeated until they are answered.
  const offers = new Map();

  addEventListener("message", async ({ origin, source, data }) => {
    if (origin !== location.origin || data?.gatehouse !== "event" || !isText(data.id)) return;
    if (!isForThisPage(data)) return;
    if (!offers.has(data.id)) offers.set(data.id, pass(data));
    const isTaken = await offers.get(data.id);
    source?.postMessage({ gatehouse: "taken", id: data.id, isTaken }, origin);
  });

  // MARK: The surrounding page, through this server's gapi.js

  // The browser says who sends the port, and only that page receives what is sent through it.
  function listenForPort() {
    addEventListener("message", ({ origin, source, data, ports: [port] }) => {
      if (source !== window.parent || data?.gatehouse !== "connect" || !port || page) return;
      const answers = new Map();
      let sent = 0;
      port.onmessage = ({ data }) => {
        if ("answer" in data) {
          answers.get(data.answer)?.(data.result);
          answers.delete(data.answer);
        } else {
          const result =
            data.name === "webStorageSupport" ? { status: "ACK", webStorageSupport: true } : null;
          port.postMessage({ answer: data.id, result });
        }
      };
      connect({
        origin,
        send: (event) => new Promise((resolve) => {
          sent += 1;
          answers.set(sent, (result) => resolve(result?.status === "ACK"));
          const data = { type: "authEvent", authEvent: event };
          port.postMessage({ id: sent, name: "authEvent", data });
        }),
      });
    });
  }

  // MARK: The surrounding page, through Google's script

  function loadGoogles() {
    const script = document.createElement("script");
    script.src = "https://apis.google.com/js/api.js";
    script.onload = () => gapi.load("gapi.iframes", {
      callback: () => {
        const around = gapi.iframes.getContext().getParentIframe();
        const filter = gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER;
        around.register(
          "webStorageSupport", () => ({ status: "ACK", webStorageSupport: true }), filter);
        connect({
          origin: originOfParent(),
          send: (event) => new Promise((resolve) => {
            const message = { type: "authEvent", authEvent: event };
            around.send("authEvent", message, (results) => {
              resolve(results?.[results.length - 1]?.status === "ACK");
            }, filter);
          }),
        });
      },
    });
    document.head.append(script);
  }

  // Not every browser reports the origin, and not every page allows it.
  function originOfParent() {
    if (location.ancestorOrigins?.length) return location.ancestorOrigins[0];
    return document.referrer ? new URL(document.referrer).origin : null;
  }

  if (query.has("gatehouse")) listenForPort();
  else loadGoogles();
})();
