// Is loaded before a program. Writes the peak memory of the program in MB to a file when the program ends.
const { readFileSync, writeFileSync } = require("node:fs");

process.on("exit", () => {
  // Only the process itself is measured, because the operating system's figure starts with that of the parent process.
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  writeFileSync(process.env.PEAK_FILE, String(Math.round(kilobytes / 1024)));
});
