// Loaded before a program that is measured: writes down, at its end, how much memory it has held at most, in MB.
const { readFileSync, writeFileSync } = require("node:fs");

process.on("exit", () => {
  // Of the process itself: the figure of the system's own accounting begins with the parent's.
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  writeFileSync(process.env.PEAK_FILE, String(Math.round(kilobytes / 1024)));
});
