import { z } from "zod";
import { camel, fieldsOf, holdsSecret, innerOf, metaOf, sentence } from "../../api";
import { Settings } from "../../provider/heads/settings";
import { type Files, PAGE_MARK } from "./mark";
import { code, link, table } from "./markdown";
import { ANY, type Properties, type TypeSpec } from "./model";
import { fieldsIn } from "./resources/fields";
import { limits } from "./sentences";
import { sinceOf } from "./shape";
import { typeOf } from "./type-words";

type Schema = z.core.$ZodType;

/** What a stack configures, as the package's schema has it. No default from the environment here: an SDK would read it in the program and keep the token in state. */
export const configVariables = (): Properties =>
  Object.fromEntries(
    Object.entries(fieldsOf(Settings)).map(([key, field]) => [
      camel(key),
      {
        ...specOf(field),
        description: [described(field), ...limits(field, described(field)).map(sentence)].join(" "),
        ...(holdsSecret(field) ? { secret: true as const } : {}),
      },
    ]),
  );

const described = (field: Schema): string => sentence(metaOf(field).description ?? "");

/** Objects have keys that only a stack knows, such as names of kinds. */
function specOf(field: Schema): TypeSpec {
  const inner = innerOf(field);
  if (inner instanceof z.core.$ZodArray) return { type: "array", items: specOf(inner._zod.def.element) };
  if (inner instanceof z.core.$ZodObject) return { type: "object", additionalProperties: ANY };
  if (inner instanceof z.core.$ZodNumber) return { type: "number" };
  return { type: inner instanceof z.core.$ZodBoolean ? "boolean" : "string" };
}

/** How each setting is set; the tests read these commands. */
export const commands = {
  url: "pulumi config set cloudinfra:url http://127.0.0.1:4108/v4",
  token: "pulumi config set --secret cloudinfra:token emulator",
  timeouts: `pulumi config set cloudinfra:timeouts '{ "create": "20m", "Instance": { "update": "2h" } }'`,
  rate_limit: "pulumi config set cloudinfra:rateLimit 5",
  max_retries: "pulumi config set cloudinfra:maxRetries 8",
  default_tags: `pulumi config set cloudinfra:defaultTags '["production", "team-web"]'`,
  allow_reboot: "pulumi config set cloudinfra:allowReboot forbid",
  label_prefix: "pulumi config set cloudinfra:labelPrefix shop-",
} satisfies Record<keyof Settings, string>;

/** What the provider takes from the environment. */
const environment = {
  CLOUDINFRA_URL: "Address of the service where the stack does not set `cloudinfra:url`.",
  CLOUDINFRA_TOKEN: "Access token where the stack does not set `cloudinfra:token`.",
  CLOUDINFRA_DEBUG:
    "Any value shows the stack traces of all errors. Without it an error that the provider expects, such as a refusal of the service, is one sentence. A bug in the provider always comes with its stack trace and asks you to report it.",
};

/** docs/configuration.md: what a stack can configure. */
export function configurationFile(): Files {
  const rows = [...fieldsIn(Settings)].map(({ path, field, nested }) => [
    code(nested ? path : `cloudinfra:${path}`),
    typeOf(field),
    limits(field, metaOf(field).description ?? "").join("; "),
    holdsSecret(field) ? "secret" : "",
    nested ? "" : sinceOf({}, field),
    metaOf(field).description ? described(field) : "",
  ]);
  const text = [
    `${PAGE_MARK}\n# Configuration`,
    "What a stack sets for all its resources, with `pulumi config set` or in `Pulumi.<stack>.yaml`. All are optional here, but an address and a token must come from somewhere. A key that is not in this table is an error, and so is a value that is not allowed: the first resource says so, with all that is wrong.",
    table(["Setting", "Type", "Allowed", "Secret", "Since", "About"], rows),
    "## Which address and token are used",
    "Pulumi passes the current configuration to `up` and `preview`, and to `refresh` and `destroy` only with `--run-program`. Without it, both get the configuration of the last `up`, even if it has changed since.",
    table(
      ["Command", "Address", "Token"],
      [
        ["`up`, `preview`", "`cloudinfra:url`, else `CLOUDINFRA_URL`", "`cloudinfra:token`, else `CLOUDINFRA_TOKEN`"],
        [
          "`refresh`",
          "`CLOUDINFRA_URL`, else `cloudinfra:url`",
          "`cloudinfra:token`, else `CLOUDINFRA_TOKEN`; with another address from the environment the reverse",
        ],
        [
          "`destroy`",
          "`cloudinfra:url`, else `CLOUDINFRA_URL`; refused if both are set and differ",
          "`cloudinfra:token`, else `CLOUDINFRA_TOKEN`",
        ],
      ],
    ),
    "A `refresh` whose `CLOUDINFRA_URL` differs from `cloudinfra:url` warns, and fails for an object that does not exist there: it is not removed from the state. The refresh of `up --refresh` is one as well.",
    "## How to set them",
    `\`\`\`sh\n${Object.values(commands).join("\n")}\n\`\`\``,
    `Lists and objects are JSON, or set part by part: ${code("pulumi config set --path 'cloudinfra:timeouts.Instance.update' 2h")}.`,
    `The default time limits stand on the page of each ${link("kind", "resources/README.md")}.`,
    "## Time limits",
    "Each operation on a resource has one deadline, and every call, retry and wait of the operation keeps it: waiting for a rate limit, for a busy instance or for another change of the same instance counts as well. At the deadline the operation fails with what it was waiting for; an object that exists by then stays in the state, and the next update finishes it. After the deadline the provider takes half of the limit again, at most 30 seconds, only to find out how things are: to look for an object whose create request was not answered, and to boot an instance that a change has left off. Refreshes, checks and previews are limited by `read`, 5 minutes by default.",
    "## Environment variables",
    table(
      ["Variable", "What it does"],
      Object.entries(environment).map(([name, about]) => [code(name), about]),
    ),
    "## Proxies",
    "The provider honours `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in capital or small letters, from the environment that Pulumi runs in. Addresses of this machine, such as an emulator's, are never reached by way of a proxy.",
    "## Debug logs",
    "`pulumi up --logtostderr -v=9` shows what Pulumi does. Pulumi writes secret outputs to these logs in plain, from `-v=3` on: do not keep them where others can read them. Messages of this provider show no secrets.",
  ];
  return { "docs/configuration.md": `${text.join("\n\n")}\n` };
}
