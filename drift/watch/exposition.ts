/** A metric in the text format of Prometheus, with one value for each set of labels. */
export interface Metric {
  name: string;
  help: string;
  type: "gauge" | "counter";
  samples: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
}

export const gauge = (name: string, help: string, samples: Metric["samples"]): Metric => ({
  name,
  help,
  type: "gauge",
  samples,
});

export const counter = (name: string, help: string, samples: Metric["samples"]): Metric => ({
  name,
  help,
  type: "counter",
  samples,
});

/** The media type of the text format. */
export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in the text format of Prometheus. A metric without values is left out. */
export const expositionOf = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length)
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join("");

function labelText(labels: Readonly<Record<string, string>>): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return texts.length ? `{${texts.join(",")}}` : "";
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
