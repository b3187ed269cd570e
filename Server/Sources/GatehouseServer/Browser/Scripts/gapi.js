// The part of `gapi` that Google's SDK for JavaScript uses. If an app's page loads it before the
// SDK, it connects the page with this server's frame, and nothing is fetched from Google:
//
//   <script src="https://auth.example.com/__/auth/gapi.js"></script>
//
// If Google's own script is there already, it stays.
"use strict";

(() => {
  const gapi = (window.gapi ??= {});
  if (gapi.iframes) return;

  class Iframe {
    #port;
    #handlers = new Map();
    // Messages that arrived before a listener was registered.
    #early = [];
    #answers = new Map();
    #sent = 0;

    constructor({ url, where, attributes = {} }) {
      const target = new URL(url);
      // Tells the frame to wait for a port, and the server that the page needs nothing from Google.
      target.searchParams.set("gatehouse", "1");
      const channel = new MessageChannel();
      this.#port = channel.port1;
      this.#port.onmessage = ({ data }) => this.#receive(data);

      const frame = document.createElement("iframe");
      const { style, ...others } = attributes;
      Object.assign(frame.style, style);
      for (const [name, value] of Object.entries(others)) frame.setAttribute(name, value);
      // Only to the server's origin, so that no other page in the frame's place receives it.
      const connect = () =>
        frame.contentWindow.postMessage({ gatehouse: "connect" }, target.origin, [channel.port2]);
      frame.addEventListener("load", connect, { once: true });
      frame.src = target.href;
      where.append(frame);
    }

    register(name, handler) {
      this.#handlers.set(name, handler);
      const early = this.#early.filter((message) => message.name === name);
      this.#early = this.#early.filter((message) => message.name !== name);
      early.forEach((message) => this.#receive(message));
    }

    // Answers are a list, because Google's script could ask several frames.
    send(name, data, callback) {
      this.#sent += 1;
      const id = this.#sent;
      return new Promise((resolve) => {
        this.#answers.set(id, (result) => {
          resolve([result]);
          // The SDK's own handler throws after its work is done.
          try { callback?.([result]); } catch (error) { console.debug(error); }
        });
        this.#port.postMessage({ id, name, data });
      });
    }

    // Answered as soon as the frame listens, and never if the frame couldn't be loaded.
    ping(callback, data) {
      return this.send("ping", data, callback);
    }

    // The frame shows nothing.
    async restyle() {
      return [];
    }

    async #receive(message) {
      if ("answer" in message) {
        this.#answers.get(message.answer)?.(message.result);
        this.#answers.delete(message.answer);
        return;
      }
      const handler = this.#handlers.get(message.name);
      if (!handler) {
        this.#early.push(message);
        return;
      }
      let result = null;
      try {
        result = await handler(message.data);
      } finally {
        this.#port.postMessage({ answer: message.id, result });
      }
    }
  }

  const context = {
    async open(options, callback) {
      const iframe = new Iframe(options);
      return callback ? callback(iframe) : iframe;
    },
  };

  gapi.iframes = {
    Iframe,
    getContext: () => context,
    CROSS_ORIGIN_IFRAMES_FILTER: () => true,
  };
  gapi.load ??= (features, options) => {
    const loaded = typeof options === "function" ? options : options?.callback;
    queueMicrotask(() => loaded?.());
  };
})();
