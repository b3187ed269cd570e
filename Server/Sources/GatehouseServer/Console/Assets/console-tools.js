// Tools of a project: what a token says, and a call of the API.

import { api, mayServer, mode, project } from "./console-api.js";
import { callTool } from "./console-call.js";
import { texts } from "./console-texts.js";
import { tokenTool } from "./console-token.js";
import { element, heading, tabs } from "./console-ui.js";

export async function render(main) {
  const simulator = await simulatorPort();
  main.append(
    heading(t("title"), { text: t("lead") }),
    simulator ? element("p", {}, element("a", {
      // The simulator listens on the own machine only, without TLS.
      href: `http://${location.hostname}:${simulator}/`, target: "_blank", rel: "noopener noreferrer",
    }, t("simulator")), " ", t("simulator.text")) : "",
    tabs([
      { id: "token", label: t("token"), render: tokenTool },
      { id: "call", label: t("call"), render: callTool },
    ]));
}

async function simulatorPort() {
  if (mode() !== "development" || !mayServer() || !project()) return undefined;
  const { settings } = await api.get("/v2/server/settings");
  const { value } = settings.find(({ key }) => key === "simulatorPort") ?? {};
  return /^[1-9]\d*$/.test(value) && value;
}

const t = texts({
  en: {
    title: "Tools",
    lead: "Find out why a sign-in fails, and try the API.",
    token: "Explain a token",
    call: "Try a call",
    simulator: "Open the simulator",
    "simulator.text": "It plays Apple, Google and the other providers: persons, faults and the requests it got.",
  },
  de: {
    title: "Werkzeuge",
    lead: "Finden Sie heraus, warum eine Anmeldung scheitert, und probieren Sie die API aus.",
    token: "Token erklären",
    call: "Aufruf ausprobieren",
    simulator: "Simulator öffnen",
    "simulator.text": "Er spielt Apple, Google und die anderen Anbieter: Personen, Störungen und die Anfragen, die er bekam.",
  },
  vi: {
    title: "Công cụ",
    lead: "Tìm hiểu vì sao đăng nhập thất bại và thử API.",
    token: "Giải thích token",
    call: "Thử một lệnh gọi",
    simulator: "Mở trình mô phỏng",
    "simulator.text": "Nó đóng vai Apple, Google và các nhà cung cấp khác: người dùng giả, lỗi và các yêu cầu đã nhận.",
  },
});
