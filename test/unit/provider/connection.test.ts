import { expect, test } from "vitest";
import { hostFor } from "../../../provider/pulumi/connection";

const config = (url: string) => ({ "cloudinfra:url": url, "cloudinfra:token": "plainly-a-token-4711" });

function messages(url: string, times = 1): string[] {
  const messages: string[] = [];
  const sink = { warn: (message: string) => void messages.push(message), progress: () => {} };
  for (let i = 0; i < times; i++) hostFor(config(url), sink);
  return messages;
}

test("warns once about plain http to another machine for all resources", () => {
  expect(messages("http://cloud.example.com/v4", 3)).toEqual([
    "cloudinfra:url http://cloud.example.com is not encrypted: the token and all data can be intercepted. Use https.",
  ]);
});

test.each([
  "https://cloud.example.com/v4",
  "http://localhost:4108/v4",
  "http://127.0.0.1:4108/v4",
  "http://[::1]:4108/v4",
])("does not warn about %s", (url) => {
  expect(messages(url)).toEqual([]);
});

test.each(["admin:geheim@host/v4", "https://admin:ge/heim@host/v4"])(
  "rejects %s without showing its password",
  (url) => {
    expect(() => messages(url)).toThrow(
      "cloudinfra:url must be the http or https URL of the API with its version, such as https://host/v4; " +
        "the value is not shown, because it could contain a password",
    );
  },
);
