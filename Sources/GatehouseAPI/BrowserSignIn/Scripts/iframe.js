// In a frame of an app's page: passes on to the page how a sign-in ended.
//
//   popup.js, in the window that the page opened ──► message ──┐
//   redirect.js, before the page was loaded again ──► storage ─┴─► this frame ──► the page
//
// What it passes on signs somebody in. So it takes messages from this server's own pages alone, and
// gives an event to the page of the origin that asked for it alone. That only pages of the project's
// domains hold this frame at all is the browser's to see to: the server names them in its policy.
"use strict";

(() => {
  // In a window of its own no policy says who is around: whoever opened it would be told.
  if (window.parent === window) return;

  const query = new URLSearchParams(location.search);
  const apiKey = query.get("apiKey");
  const appName = query.get("appName");
  const storageKey = "gatehouse.event." + JSON.stringify([apiKey, appName]);
  // As long as the answer itself is good for.
  const keptMilliseconds = 5 * 60 * 1000;
  const types = ["signInVia", "linkVia", "reauthVia"]
    .flatMap((type) => [type + "Popup", type + "Redirect"]);

  // The page around: its origin, null if it isn't known, which then gets no sign-in, and how to send it
  // an event; the promise says whether it took it.
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

  // What the SDK hears who asks for a redirect's result where there was no redirect.
  function nothingHappened() {
    return {
      type: "unknown", eventId: null, urlResponse: null, sessionId: null, postBody: null,
      tenantId: null,
      error: { code: "auth/no-auth-event", message: "No sign-in came back to this page." },
    };
  }

  // MARK: What comes

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

  // Once: whoever reloads the page signs nobody in a second time.
  function takeKept() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(storageKey));
      sessionStorage.removeItem(storageKey);
      const age = Date.now() - kept?.at;
      return isForThisPage(kept) && age >= 0 && age < keptMilliseconds ? kept : null;
    } catch {
      // A browser that keeps nothing for frames. Popups need nothing kept.
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

  // MARK: The page around, by this server's gapi.js

  // The browser says who sends the port, and what goes through it reaches nobody else.
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

  // MARK: The page around, by Google's

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

  // Not every browser tells, and not every page lets it.
  function originOfParent() {
    if (location.ancestorOrigins?.length) return location.ancestorOrigins[0];
    return document.referrer ? new URL(document.referrer).origin : null;
  }

  if (query.has("gatehouse")) listenForPort();
  else loadGoogles();
})();
