// Bars by day, stacked by provider, and the same numbers as a table.

import { language, texts } from "./console-texts.js";
import { details, element } from "./console-ui.js";

const t = texts({
  en: { asTable: "As a table", day: "Day", most: "at most {most} a day", sum: "{title}: {count} in {days} days, at most {most} on a day" },
  de: { asTable: "Als Tabelle", day: "Tag", most: "höchstens {most} am Tag", sum: "{title}: {count} in {days} Tagen, höchstens {most} an einem Tag" },
  vi: { asTable: "Dạng bảng", day: "Ngày", most: "nhiều nhất {most} mỗi ngày", sum: "{title}: {count} trong {days} ngày, nhiều nhất {most} trong một ngày" },
});

const WIDTH = 600;
const HEIGHT = 140;
const COLORS = 7;

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The providers in all measures, the most frequent first, so that each keeps its colour. */
export function seriesOf(days, measures) {
  const sums = new Map();
  for (const day of days) {
    for (const measure of measures) {
      for (const [provider, count] of Object.entries(day[measure] ?? {})) sums.set(provider, (sums.get(provider) ?? 0) + count);
    }
  }
  return [...sums].sort(([, one], [, other]) => other - one).map(([provider]) => provider);
}

const dayName = (date, style) => new Date(`${date}T00:00`).toLocaleDateString(language(), { dateStyle: style });
const sumOf = (day, measure) => Object.values(day[measure] ?? {}).reduce((sum, one) => sum + one, 0);

/** @param providers Of all plots of the page, see `seriesOf`. */
export function plot(days, measure, providers, title, nameOf) {
  const most = Math.max(...days.map((day) => sumOf(day, measure)));
  const shown = providers.filter((provider) => days.some((day) => day[measure]?.[provider]));
  const step = WIDTH / days.length;
  const bars = days.flatMap((day, at) => {
    let top = HEIGHT;
    return shown.filter((provider) => day[measure]?.[provider]).map((provider) => {
      const count = day[measure][provider];
      const height = (count / most) * (HEIGHT - 4);
      top -= height;
      return svg("rect", { class: color(providers, provider), x: at * step + step * 0.15, y: top, width: step * 0.7, height },
        svg("title", {}, `${dayName(day.date, "medium")}, ${nameOf(provider)}: ${count.toLocaleString(language())}`));
    });
  });
  const label = t("sum", { title, count: days.reduce((sum, day) => sum + sumOf(day, measure), 0), days: days.length, most });
  return element("figure", {},
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      svg("line", { class: "ground", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }), ...bars),
    element("div", { class: "ends", "aria-hidden": "true" }, element("small", {}, dayName(days[0].date, "medium")), element("small", {}, t("most", { most })), element("small", {}, dayName(days.at(-1).date, "medium"))),
    element("figcaption", {}, shown.map((provider) => element("span", {}, element("span", { class: `swatch ${color(providers, provider)}` }), nameOf(provider)))),
    details(t("asTable"), numbers(days, measure, shown, nameOf)));
}

const color = (providers, provider) => `series-${providers.indexOf(provider) % COLORS}`;

function numbers(days, measure, shown, nameOf) {
  const rows = days.filter((day) => sumOf(day, measure) > 0).reverse();
  return element("table", { class: "plain" },
    element("thead", {}, element("tr", {}, [t("day"), ...shown.map(nameOf)].map((title) => element("th", { scope: "col" }, title)))),
    element("tbody", {}, rows.map((day) => element("tr", {},
      element("th", { scope: "row" }, dayName(day.date, "medium")),
      shown.map((provider) => element("td", { "data-label": nameOf(provider) }, (day[measure][provider] ?? 0).toLocaleString(language())))))));
}
