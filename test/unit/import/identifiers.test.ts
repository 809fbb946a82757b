import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { reserved } from "../../../import/identifiers";

test.each(["exports", "require", "module", "await", "let", "class"])(
  "no variable of a program has the name %s",
  (word) => {
    expect(reserved).toContain(word);
  },
);

test("a name that is not reserved can be a constant of a CommonJS module", () => {
  const require = createRequire(__filename);
  for (const word of ["process", "global", "console", "type", "async", "of"]) {
    expect(reserved).not.toContain(word);
    runInNewContext(`(function (exports, require, module) { "use strict"; const ${word} = 1; })`, { require });
  }
});
