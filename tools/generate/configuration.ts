import { z } from "zod";
import { camel, fieldsOf, holdsSecret, innerOf, metaOf, sentence } from "../../api";
import { Settings } from "../../provider/pulumi/settings";
import { type Files, PAGE_MARK } from "./mark";
import { code, link, table } from "./markdown";
import { ANY, type Properties, type TypeSpec } from "./model";
import { fieldsIn } from "./resources/fields";
import { limitSentence, limits } from "./sentences";
import { sinceOf } from "./shape";
import { typeOf } from "./type-words";

type Schema = z.core.$ZodType;

/** The stack's configuration in the format of Pulumi's package schema. */
export const configVariables = (): Properties =>
  Object.fromEntries(
    Object.entries(fieldsOf(Settings)).map(([key, field]) => [
      camel(key),
      {
        ...specOf(field),
        description: [described(field), ...limits(field, described(field)).map(limitSentence)].join(" "),
        ...(holdsSecret(field) ? { secret: true as const } : {}),
        ...(variable(key) in environment ? { defaultInfo: { environment: [variable(key)] } } : {}),
      },
    ]),
  );

const variable = (key: string): string => `CLOUDINFRA_${key.toUpperCase()}`;

const described = (field: Schema): string => sentence(metaOf(field).description ?? "");

/** The type of a setting. Objects are maps, because their keys, such as names of resource classes, are not fixed. */
function specOf(field: Schema): TypeSpec {
  const inner = innerOf(field);
  if (inner instanceof z.core.$ZodArray) return { type: "array", items: specOf(inner._zod.def.element) };
  if (inner instanceof z.core.$ZodObject) return { type: "object", additionalProperties: ANY };
  if (inner instanceof z.core.$ZodNumber) return { type: "number" };
  return { type: inner instanceof z.core.$ZodBoolean ? "boolean" : "string" };
}

/** For each setting, the example command in the docs. Tests run these commands. */
export const commands = {
  url: "pulumi config set cloudinfra:url http://127.0.0.1:4108/v4",
  token: "pulumi config set --secret cloudinfra:token emulator",
  dialect: "pulumi config set cloudinfra:dialect linode",
  timeouts: `pulumi config set cloudinfra:timeouts '{ "create": "20m", "Instance": { "update": "2h" } }'`,
  rate_limit: "pulumi config set cloudinfra:rateLimit 5",
  max_retries: "pulumi config set cloudinfra:maxRetries 8",
  default_tags: `pulumi config set cloudinfra:defaultTags '["production", "team-web"]'`,
  allow_reboot: "pulumi config set cloudinfra:allowReboot forbid",
  label_prefix: "pulumi config set cloudinfra:labelPrefix shop-",
} satisfies Record<keyof Settings, string>;

/** The environment variables that the provider reads. */
export const environment = {
  CLOUDINFRA_URL:
    "Address of the API. Used if the stack does not set `cloudinfra:url`; `drift`, `refresh` and `destroy` prefer it to that setting.",
  CLOUDINFRA_TOKEN:
    "Access token. Used if the stack does not set `cloudinfra:token`. Drift checks use it in any case; only `drift --all-stacks` prefers the token of a stack.",
  CLOUDINFRA_DIALECT:
    "Public service at the address, such as `linode`. Used if the stack does not set `cloudinfra:dialect`.",
  LINODE_URL: "Address of the API, with the dialect `linode`: like `CLOUDINFRA_URL`, and used if that is not set.",
  LINODE_TOKEN: "Access token, with the dialect `linode`: like `CLOUDINFRA_TOKEN`, and used if that is not set.",
  CLOUDINFRA_DEBUG:
    "Set to any value to print stack traces with all errors. By default, expected errors such as a rejected request are one sentence. Bugs in the provider always include a stack trace.",
  CLOUDINFRA_ACCEPT_ALL_DELETED:
    "Set to any value to let a refresh or `destroy` remove objects from the state that were deleted outside Pulumi, although it could be another reason that they are not found: more than three are missing and none is found, or the token's user is restricted.",
  PULUMI_CLI: "Path of the Pulumi CLI that the `cloudinfra` commands run. Defaults to the `pulumi` on `PATH`.",
  XDG_CACHE_HOME: "Folder of caches, such as the journal of the native plugin. Defaults to `~/.cache`.",
};

/** Generates docs/configuration.md: the settings of a stack. */
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
    "Settings of a stack apply to all its resources, except those of an explicit provider (`new Provider(…)`), which has only its own settings. Set them with `pulumi config set` or in `Pulumi.<stack>.yaml`. All settings are optional, but an address and a token must be set here or in the environment. Unknown keys and values that are not allowed are errors; the first resource reports all of them.",
    table(["Setting", "Type", "Allowed", "Secret", "Since", "Description"], rows),
    "## Address and token",
    "Pulumi passes the current configuration to `up` and `preview`, and to `refresh` and `destroy` only with `--run-program`. Without it, both get the configuration of the last `up`, even if it has changed since.",
    table(
      ["Command", "Address", "Token"],
      [
        [
          "`up`, `preview`, and the update of `up --refresh`",
          "`cloudinfra:url`, else `CLOUDINFRA_URL`",
          "`cloudinfra:token`, else `CLOUDINFRA_TOKEN`",
        ],
        [
          "`refresh`, `destroy`, and the refresh of `up --refresh`",
          "`CLOUDINFRA_URL`, else `cloudinfra:url`",
          "`cloudinfra:token`, else `CLOUDINFRA_TOKEN`; if `CLOUDINFRA_URL` is set to another address, in the reverse order",
        ],
        [
          "`cloudinfra adopt`, `import`, `migrate --account`",
          "`cloudinfra:url`, else `CLOUDINFRA_URL`",
          "`cloudinfra:token`, else `CLOUDINFRA_TOKEN`",
        ],
        [
          "`cloudinfra drift`",
          "`CLOUDINFRA_URL`, else that of the last `up`",
          "`CLOUDINFRA_TOKEN`, only at [one address](drift.md)",
        ],
        [
          "`cloudinfra drift --all-stacks`",
          "that of the last `up` of each stack",
          "`cloudinfra:token` of a stack of the account, else `CLOUDINFRA_TOKEN`, only at [one address](drift.md#check-all-stacks)",
        ],
        ["`cloudinfra api`", "`--url`, else `CLOUDINFRA_URL`", "`--token`, else `CLOUDINFRA_TOKEN`"],
        [
          "`cloudinfra doctor`",
          "`--url`, else `cloudinfra:url`, else `CLOUDINFRA_URL`",
          "`--token`, else `cloudinfra:token`, else `CLOUDINFRA_TOKEN`; each variable and setting only at the address that is set with it",
        ],
      ],
    ),
    "If `CLOUDINFRA_URL` differs from `cloudinfra:url`, `refresh` and `destroy` warn. Error messages name the setting that contains the address or the token. Set `CLOUDINFRA_URL` for single commands only, because a variable that is left over applies to the drift checks of other stacks too. Always set `CLOUDINFRA_TOKEN` with it: otherwise, `refresh` and `destroy` send the token of the stack to that address.",
    "## Scopes",
    table(
      ["To", "the token needs"],
      [
        [
          "`preview`, `refresh`, `drift`, `import`, `adopt`",
          "read access to the kinds of the stack, such as `computes:read_only volumes:read_only`",
        ],
        ["recognize the account (next section)", "`account:read_only`"],
        [
          "`up`, `destroy`",
          "write access to the kinds of the stack, such as `computes:read_write`, and `events:read_only`, because jobs are followed by the account's events",
        ],
      ],
    ),
    `The page of each operation names its scopes: ${link("API operations", "api/README.md")}. If a scope is missing, the message names it, and ${code("npx cloudinfra doctor")} compares those of the token with what the stack needs. The emulator creates tokens with any scopes, to try them: ${link("POST /_emulator/tokens", "emulator.md#control")}.`,
    "## The account of a stack",
    `The state records the account that the stack belongs to: its id (the ${code("euuid")} of ${code("account.view")}), if the token has the scope ${code("account:read_only")}, and the address. Before a command changes, deletes or forgets an object, it compares this account with the one at hand, with one request. Another account stops the command, and nothing is changed:`,
    "```text\nthis stack belongs to account 63b09d26-… at https://api.example.com/v4, but the address and token in use are those of account 7f1c2d3e-… at http://127.0.0.1:4108/v4. Nothing was changed. Set CLOUDINFRA_URL to https://api.example.com/v4 and CLOUDINFRA_TOKEN to its token, or unset CLOUDINFRA_URL if the stack has an address of its own. …\n```",
    [
      "- Previews, updates, refreshes and deletions compare the account, and so do `cloudinfra drift`, `adopt` and `import`. A preview without changes also succeeds if the API cannot be reached. `destroy --preview-only` compares nothing, because Pulumi calls no provider for it; `destroy` itself compares.",
      "- The first preview of a stack shows the account in which objects will be created: its company, its address and its number of instances. If the token does not have the scope `account:read_only`, the account is not shown.",
      "- A dynamic resource that is new is compared with the account of those that the command has checked before it. If the program declares none of them any more, the new objects are created, and only the deletion of the former ones is rejected: compare the account that the preview shows, and do not use `--skip-preview` after a change of the address or the token.",
      "- If the account's id is the same, a new address is not an error: the command prints one line, and the next update records the address.",
      "- Without the scope, the address decides: another address is another account, and all accounts at the same address count as the same. With the token of another account at that address, a refresh can then remove up to three objects from the state, and an update creates new objects in the wrong account. So give each token the scope.",
      "- A stack of an earlier version gets its account in the next update or refresh.",
      "- A native resource that gets another provider is replaced if that provider belongs to another account.",
      "- If a refresh reads more than three objects and none exists, it fails, and so does `destroy`, if the token does not have the scope. The state is unchanged, except for a refresh with both `--skip-preview` and `--parallel 1`: it reads one object at a time, so the first three have left the state by then. If they were all deleted, set `CLOUDINFRA_ACCEPT_ALL_DELETED=1` and run it again.",
      "- For a restricted user, objects without a grant do not exist in the API. If a refresh or `destroy` with the token of such a user does not find an object, it fails instead of removing it from the state, and a drift check reports that it could not be read. This is known only with the scope `account:read_only` and the grant `account_access`. If it was deleted, and so were all other objects that the command does not find, set `CLOUDINFRA_ACCEPT_ALL_DELETED=1` for that command.",
    ].join("\n"),
    "To move a stack to another account on purpose, for example after a copy of the account was restored, set the new address and token, and the dialect if the service has one, and run `cloudinfra migrate`. It reads every object in the new account. If one does not exist, or has another name, time of creation or value that cannot be changed, it lists these objects and changes nothing:",
    "```sh\nnpx cloudinfra migrate --account --dry-run\nnpx cloudinfra migrate --account\n```",
    "For a provider that the program creates, add `--provider-name NAME`, and set `CLOUDINFRA_URL` and `CLOUDINFRA_TOKEN`. To create the objects in the other account instead, run the program in a new stack.",
    "## Commands",
    `\`\`\`sh\n${Object.values(commands).join("\n")}\n\`\`\``,
    `Write lists and objects as JSON, or set one path at a time: ${code("pulumi config set --path 'cloudinfra:timeouts.Instance.update' 2h")}.`,
    `The page of each ${link("kind", "resources/README.md")} lists its default timeouts.`,
    `Default tags are sent with those of the program. A copy that omits ${code("tags")}, such as a ${code("VolumeClone")}, has only them, not the tags of its source.`,
    "## Timeouts",
    "Each operation on a resource has one deadline for all its requests, retries and waits, including waits for a rate limit, a busy instance or another change of the same instance. At the deadline the operation fails and reports what it was waiting for. If the object exists by then, it stays in the state and the next update completes it. After the deadline the provider may take half of the timeout again, at most 30 seconds, for two things: to look up an object whose create response was lost, and to boot an instance that an update has shut down. The `read` timeout, 5 minutes by default, applies to refreshes, checks and previews; a shorter `create` or `update` timeout that is set applies to checks and previews too. The account is compared before this time starts, which takes at most half of the timeout.",
    "## Environment variables",
    table(
      ["Variable", "Description"],
      Object.entries(environment).map(([name, about]) => [code(name), about]),
    ),
    `Alerts of unattended drift checks have ${link("variables of their own", "guides/unattended.md#alerts")}.`,
    "## Proxies",
    "The provider uses `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case, from the environment of the `pulumi` command. Loopback addresses, such as that of a local emulator, are never proxied.",
    "## Debug logs",
    "Run `pulumi up --logtostderr -v=9` to see what Pulumi does. From `-v=3`, Pulumi writes secret outputs to these logs in plain text, so restrict access to them. Messages of this provider do not contain secrets.",
  ];
  return { "docs/configuration.md": `${text.join("\n\n")}\n` };
}
