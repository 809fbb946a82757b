import * as echarts from "echarts";
import { peerFigures, peers } from "./peers";
import type { Row } from "./results";
import type { Step } from "./scenarios";

interface Panel {
  title: string;
  step: Step;
  value: "seconds" | "calls";
}

const panels: readonly Panel[] = [
  { title: "up, seconds", step: "up", value: "seconds" },
  { title: "refresh, calls", step: "refresh", value: "calls" },
  { title: "destroy, seconds", step: "destroy", value: "seconds" },
];

const [width, height] = [900, 346];
/** Colours that are legible on light and dark backgrounds. */
const ink = "#7d7d85";
const colours = ["#2563eb", "#e07b00", "#b4459b", "#8a8a8f"];

/** Draws an SVG that shows how the time and the number of requests grow with the number of resources. */
export function growthPlot(rows: readonly Row[]): string {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  const names = ["pulumi-cloudinfra", ...peers, "waits for the service"];
  const share = width / panels.length;
  chart.setOption({
    animation: false,
    color: colours,
    textStyle: { color: ink, fontFamily: "sans-serif" },
    legend: { bottom: 0, itemGap: 40, icon: "roundRect", textStyle: { color: ink }, data: names },
    title: panels.map(({ title }, i) => ({
      text: title,
      left: share * i + 10,
      textStyle: { color: ink, fontSize: 14, fontWeight: "normal" },
    })),
    grid: panels.map((_, i) => ({ left: share * i + 50, width: share - 75, top: 56, bottom: 85 })),
    xAxis: panels.map((_, i) => ({
      gridIndex: i,
      type: "value",
      name: "resources",
      nameLocation: "middle",
      nameGap: 26,
      axisLabel: { color: ink },
      splitLine: { show: false },
    })),
    yAxis: panels.map((_, i) => ({
      gridIndex: i,
      type: "value",
      axisLabel: { color: ink },
      splitLine: { show: false },
    })),
    series: panels.flatMap(({ step, value }, panel) =>
      [
        points(rows, "dynamic", step, value),
        ...peers.map((_, peer) => peerPoints(peer as 0 | 1, step, value)),
        value === "seconds" ? points(rows, "waits for the service", step, value) : [],
      ].map((data, i) => ({
        name: names[i] ?? "",
        type: "line",
        xAxisIndex: panel,
        yAxisIndex: panel,
        data,
        symbol: "circle",
        symbolSize: 6,
      })),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const label = "How time and calls grow with the number of resources, compared with other providers";
  return svg.replace("<svg ", `<svg role="img" aria-label="${label}" `);
}

const resources = (n: number): number => 3 * n + 1;

const points = (rows: readonly Row[], provider: string, step: Step, value: Panel["value"]): [number, number][] =>
  rows.flatMap((row) => {
    const [, n] = /^fleet of (\d+)$/.exec(row.scenario) ?? [];
    return n && row.provider === provider && row.step === step
      ? [[resources(Number(n)), row[value]] as [number, number]]
      : [];
  });

const peerPoints = (peer: 0 | 1, step: Step, value: Panel["value"]): [number, number][] =>
  Object.entries(peerFigures).flatMap(([n, steps]) => {
    const figure = steps[step]?.[peer]?.[value];
    return figure === undefined ? [] : [[resources(Number(n)), figure] as [number, number]];
  });
