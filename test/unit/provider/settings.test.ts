import { describe, expect, test } from "vitest";
import { settingsFrom } from "../../../provider/pulumi/settings";

const from = (config: Record<string, string>) =>
  settingsFrom(Object.fromEntries(Object.entries(config).map(([key, value]) => [`cloudinfra:${key}`, value])), [
    "Instance",
    "Volume",
  ]);

describe("the stack's configuration", () => {
  test("is read in Pulumi's format: strings unchanged, all other values as JSON", () => {
    const config = {
      url: "http://localhost/v4",
      token: "123",
      timeouts: '{"create":"20m","Instance":{"update":"1h30m"}}',
      rateLimit: "2.5",
      maxRetries: "8",
      defaultTags: '["team-a","prod"]',
      allowReboot: "forbid",
      labelPrefix: "shop-",
    };
    expect(from(config)).toEqual({
      url: "http://localhost/v4",
      token: "123",
      timeouts: { create: "20m", Instance: { update: "1h30m" } },
      rate_limit: 2.5,
      max_retries: 8,
      default_tags: ["team-a", "prod"],
      allow_reboot: "forbid",
      label_prefix: "shop-",
    });
  });

  test("ignores the configuration of other packages", () => {
    expect(settingsFrom({ "aws:region": "x", "project:token": "y" }, [])).toEqual({});
  });

  test.each([
    [
      { alowReboot: "forbid" },
      'cloudinfra:alowReboot is not a setting of this provider; did you mean "cloudinfra:allowReboot"?',
    ],
    [
      { allow_reboot: "forbid" },
      'cloudinfra:allow_reboot is not a setting of this provider; did you mean "cloudinfra:allowReboot"?',
    ],
    [{ allowReboot: "maybe" }, 'cloudinfra:allowReboot must be "allow" or "forbid"'],
    [{ rateLimit: "fast" }, "cloudinfra:rateLimit must be a number"],
    [{ rateLimit: "0" }, "cloudinfra:rateLimit must be more than 0"],
    [{ maxRetries: "-1" }, "cloudinfra:maxRetries must be at least 0"],
    [{ defaultTags: "prod" }, "cloudinfra:defaultTags must be a list"],
    [{ defaultTags: '["x"]' }, "cloudinfra:defaultTags[0] must be at least 3 characters long"],
    [
      { labelPrefix: "1-" },
      "cloudinfra:labelPrefix must start with a letter and contain only letters, digits and dashes",
    ],
    [
      { timeouts: '{"create":"soon"}' },
      'cloudinfra:timeouts.create must be a duration such as "90s", "20m" or "1h30m"',
    ],
    [
      { timeouts: '{"Volum":{"create":"1m"}}' },
      'cloudinfra:timeouts.Volum is not a setting of this provider; did you mean "Volume"?',
    ],
    [
      { timeouts: '{"Volume":{"creat":"1m"}}' },
      'cloudinfra:timeouts.Volume.creat is not a setting of this provider; did you mean "create"?',
    ],
  ])("rejects %o", (config, message) => {
    expect(() => from(config as Record<string, string>)).toThrow(message);
  });

  test("an unknown kind does not hide the problems of a kind whose name begins with it", () => {
    const timeouts = '{"Inst":{"create":"1m"},"Instance":{"create":"soon"}}';
    expect(() => from({ timeouts })).toThrow(
      "cloudinfra:timeouts.Inst is not a setting of this provider; " +
        'cloudinfra:timeouts.Instance.create must be a duration such as "90s", "20m" or "1h30m"',
    );
  });

  test("reports all problems at once, and never shows a token", () => {
    const wrong = () => from({ tokn: "planted", rateLimit: "-1", allowReboot: "no" });
    expect(wrong).toThrow(/tokn is not a setting.*rateLimit must be more than 0.*allowReboot must be/s);
    expect(wrong).not.toThrow("planted");
  });
});
