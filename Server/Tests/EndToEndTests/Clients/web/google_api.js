// Replaces https://apis.google.com/js/api.js, which no test may fetch. It has the functions of
// `gapi.iframes` that Google's SDK and the server's frame call, with its own message format.
"use strict";

(() => {
  const mark = "stand-in for gapi";
  const filter = () => true;

  class Iframe {
    constructor(target, origin, token) {
      Object.assign(this, { target, origin, token, handlers: {}, early: [], answers: {}, sent: 0 });
      window.addEventListener("message", ({ source, origin: from, data }) => {
        if (source !== this.target() || from !== this.origin) return;
        if (data?.mark === mark && data.token === this.token) this.receive(data);
      });
    }

    post(message) { this.target().postMessage({ mark, token: this.token, ...message }, this.origin); }

    async receive({ answer, result, id, name, data }) {
      if (answer !== undefined) {
        this.answers[answer]?.([result]);
        delete this.answers[answer];
      } else if (this.handlers[name]) {
        this.post({ answer: id, result: await this.handlers[name](data) });
      } else {
        this.early.push({ id, name, data });
      }
    }

    register(name, handler) {
      this.handlers[name] = handler;
      const early = this.early.filter((message) => message.name === name);
      this.early = this.early.filter((message) => message.name !== name);
      early.forEach((message) => this.receive(message));
    }

    send(name, data, callback) {
      const id = (this.sent += 1);
      return new Promise((resolve) => {
        this.answers[id] = (results) => {
          resolve(results);
          // The SDK's callback throws an error after its work.
          try { callback?.(results); } catch { }
        };
        this.post({ id, name, data });
      });
    }

    // Repeats the message, because the frame may not listen yet.
    ping(callback) {
      return new Promise((resolve) => {
        const timer = setInterval(() => this.post({ id: (this.sent += 1), name: "_ping" }), 100);
        this.register("_pong", () => { clearInterval(timer); callback?.(); resolve([]); });
      });
    }

    async restyle() { return []; }
  }

  const context = {
    open({ url, where, attributes: { style, ...others } }, callback) {
      const frame = document.createElement("iframe");
      Object.assign(frame.style, style);
      for (const [name, value] of Object.entries(others)) frame.setAttribute(name, value);
      const token = String(Math.random()).slice(2);
      frame.src = `${url}#id=I0_1&parent=${encodeURIComponent(location.origin)}&rpctoken=${token}`;
      where.append(frame);
      const iframe = new Iframe(() => frame.contentWindow, new URL(url).origin, token);
      return Promise.resolve(callback(iframe));
    },
    getParentIframe() {
      const fragment = new URLSearchParams(location.hash.slice(1));
      const iframe =
        new Iframe(() => window.parent, fragment.get("parent"), fragment.get("rpctoken"));
      iframe.register("_ping", () => iframe.post({ id: (iframe.sent += 1), name: "_pong" }));
      return iframe;
    },
  };

  window.gapi = {
    load(features, { callback }) {
      gapi.iframes = { Iframe, getContext: () => context, CROSS_ORIGIN_IFRAMES_FILTER: filter };
      setTimeout(callback);
    },
  };
  const onload = new URL(document.currentScript.src).searchParams.get("onload");
  if (onload) window[onload]();
})();
