// What the pages on which a project is set up have in common.

import { element } from "./console-ui.js";

document.head.append(element("link", { rel: "stylesheet", href: "/console/console-setup.css" }));
