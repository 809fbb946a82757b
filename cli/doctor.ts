import { currentAccount } from "../provider/pulumi/account";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { requireFolder } from "../stack/pulumi";
import { accessFrom } from "./doctor/access";
import { accountCheck, objectsCheck, ownerCheck } from "./doctor/account";
import { type Check, notChecked } from "./doctor/check";
import { networkChecks } from "./doctor/network";
import { packageChecks } from "./doctor/packages";
import { pluginCheck } from "./doctor/plugin";
import { readProject } from "./doctor/project";
import { json, type Part, problemsIn, type Report, text } from "./doctor/report";
import { apiCheck, clockCheck, rateLimitCheck } from "./doctor/service";
import { Session } from "./doctor/session";
import { type Stack, stackChecks } from "./doctor/stack";
import { grantedScopes, scopesCheck, type UsedKinds, usedKinds, validCheck } from "./doctor/token";
import { toolChecks } from "./doctor/tools";
import { withinLimit } from "./time-limit";

export interface DoctorOptions {
  stack?: string;
  project: string;
  url?: string;
  token?: string;
  json: boolean;
  timeout: string;
}

/** Runs `cloudinfra doctor`: checks the set-up without changing it, and prints what is wrong. Exits with 1 then. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const report = await withinLimit(options.timeout, (limit) => examine(options, limit));
  process.stdout.write(options.json ? json(report) : text(report));
  process.exitCode = problemsIn(report).length ? 1 : 0;
}

export async function examine(options: DoctorOptions, limit: TimeLimit): Promise<Report> {
  requireFolder("--project", options.project);
  const isNamed = options.stack !== undefined || options.project !== ".";
  const [tools, { check, project }] = await Promise.all([toolChecks(limit), readProject(options.project, isNamed)]);
  const { checks, stack } = await stackChecks({
    project,
    isProjectBroken: check.result === "problem",
    name: options.stack,
    limit,
  });
  const inProject = project
    ? [...(await packageChecks(project)), await pluginCheck(project, stack.isNative, limit)]
    : [];
  const used = usedKinds(stack.resources, project?.program.kinds ?? []);
  return [
    { title: "Tools", checks: tools },
    { title: "Project", checks: [check, ...inProject] },
    { title: "Stack", checks },
    ...(await serviceParts(options, { stack, used, limit })),
  ];
}

interface Setup {
  stack: Stack;
  used: UsedKinds;
  limit: TimeLimit;
}

/** The address, the token and the account. Each step requires the one before. */
async function serviceParts(options: DoctorOptions, { stack, used, limit }: Setup): Promise<Part[]> {
  const { url, token, dialect, addressChecks, tokenCheck } = accessFrom(options, stack);
  const network = url ? await networkChecks(url, limit) : [];
  const isReached = url !== undefined && network.every(({ result }) => result === "ok");
  const parts = (address: Check[], token: Check[], account: Check[]): Part[] => [
    { title: "Address", checks: [...addressChecks, ...network, ...address] },
    { title: "Token", checks: token },
    { title: "Account", checks: account },
  ];
  if (!isReached || token === undefined || tokenCheck.result !== "ok") {
    const why =
      url === undefined
        ? "there is no valid address"
        : isReached
          ? "there is no usable token"
          : "the API was not reached";
    return parts([], [tokenCheck], [notChecked("account", why)]);
  }
  const service = { url, dialect };
  await using session = new Session({ url: url.href, token, dialect });
  const host = limit.bound(session.host);
  const account = await currentAccount(host);
  const { latest: response, receivedAt } = session;
  const clock = response ? [clockCheck(response, receivedAt, url)] : [];
  const limited = response ? [rateLimitCheck(response, receivedAt)] : [];
  const api = apiCheck(response, account.failure, service);
  const valid = validCheck(tokenCheck, account.failure);
  if (!response || api.result !== "ok" || valid.result !== "ok")
    return parts([api, ...clock], [valid, ...limited], [notChecked("account", "it could not be read")]);
  const granted = grantedScopes(response, (list) => session.client.names?.text(list) ?? list);
  const objects = await objectsCheck(session, host, { used, service });
  return parts(
    [api, ...clock],
    [valid, scopesCheck(granted, used), ...limited],
    [accountCheck(account, response), ownerCheck(stack.resources, account), objects],
  );
}
