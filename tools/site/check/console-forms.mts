import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, ElementHandle, Page } from "puppeteer-core";
import { comparison, copied, desk, emulated, opened } from "./console-tab.mts";

/** Problems when the forms and buttons of the panels are used. Each step is checked on the page and in the account. */
export async function formProblems(browser: Browser): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "console-forms-"));
  try {
    return [
      ...(await timeProblems(browser)),
      ...(await snapshotProblems(browser, folder)),
      ...(await resetProblems(browser)),
      ...(await accessProblems(browser)),
      ...(await faultProblems(browser)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A form of the console, by its title. */
function formAt(tab: Page, title: string) {
  const form = `form[aria-label="${title}"]`;
  return {
    fill: async (values: Readonly<Record<string, string>>): Promise<void> => {
      for (const [name, value] of Object.entries(values)) await tab.locator(`${form} [name=${name}]`).fill(value);
    },
    submit: (): Promise<void> => tab.locator(`${form} button.primary`).click(),
    value: (name: string) => (): Promise<string> =>
      tab.$eval(`${form} [name=${name}]`, (field) => (field as HTMLInputElement).value),
    /** The text that confirms the last submission. */
    confirmed: (): Promise<string | null> => tab.$eval(`${form} [role=status]`, ({ textContent }) => textContent),
    /** The reason for which the service rejected the value of a field, below the field. */
    rejected: (name: string) => (): Promise<string | null | undefined> =>
      tab.$eval(
        `${form} [name=${name}]`,
        (field) => field.closest("label")?.querySelector("[role=alert]")?.textContent,
      ),
    /** The field that the browser has rejected and moved the focus to. */
    invalid: (): Promise<string | undefined> =>
      tab.$eval(form, (all) => {
        const field = document.activeElement as HTMLInputElement | null;
        return field && all.contains(field) && field.matches(":invalid") && field.validationMessage
          ? field.name
          : undefined;
      }),
    problem: (): Promise<string | undefined> =>
      tab.$eval(form, (all) => all.querySelector(":scope > [role=alert]")?.textContent ?? undefined),
  };
}

const textsOf = (tab: Page, selector: string) => (): Promise<string[]> =>
  tab.$$eval(selector, (found) => found.map(({ textContent }) => textContent ?? ""));

const buttonOf = (tab: Page, text: string) => tab.locator(`::-p-xpath(//*[@id="panel"]//button[.="${text}"])`);

const UNREACHABLE = "The emulator does not respond. Check that it is running.";

/** Problems when the clock is advanced and jobs are ended. */
async function timeProblems(browser: Browser): Promise<string[]> {
  await using account = await emulated();
  await using page = await opened(browser, desk, account);
  const { tab } = page;
  const { found, expect } = comparison("time");
  const { clock, jobs } = account.world;
  const form = formAt(tab, "Time");
  const status = (): Promise<string | undefined> =>
    tab.$eval(".canvas .card .mark", ({ textContent }) => textContent?.replace(/^\W+/, ""));
  const inProgress = textsOf(tab, ".actions .mark");
  await tab.click("#tab-data");
  await account.call("POST", "/volumes", { label: "data", region: "us-east", size: 20 });
  await expect("a job in progress", inProgress, ["◐1 job in progress"]);
  await buttonOf(tab, "End all jobs").click();
  await expect("no job after the end of all jobs", inProgress, []);
  await expect("the status of the volume", status, "active");
  await expect("jobs of the account", () => jobs.table.size, 0);

  await form.fill({ seconds: "2" });
  await account.call("POST", "/volumes", { label: "logs", region: "us-east", size: 20 });
  await expect("another job", inProgress, ["◐1 job in progress"]);
  await expect("the account changes while a user fills in the form", form.value("seconds"), "2");
  const before = clock.now();
  await form.submit();
  await expect("the clock", form.confirmed, "Clock advanced");
  await expect("the time of the account", () => clock.now() - before, 2 * 3_600_000);
  const shown = (): Promise<string> => tab.$eval(".clock time", ({ dateTime }) => dateTime.slice(0, 19));
  await expect("the time on the page", shown, new Date(clock.now()).toISOString().slice(0, 19));
  await expect("a job that has ended by then", inProgress, []);

  const now = clock.now();
  await form.fill({ seconds: "-1" });
  await form.submit();
  await expect("a negative time", form.invalid, "seconds");
  await form.fill({ seconds: "9000000", unit: "86400" });
  await form.submit();
  const limit = Math.floor((Date.UTC(9999, 11, 31, 23, 59, 59, 999) - now) / 1000);
  const reason = `Must be at most ${limit} seconds: the clock cannot advance beyond the year 9999`;
  await expect("a time after the year 9999", form.rejected("seconds"), reason);
  await expect("the rejected value", form.value("seconds"), "9000000");
  await expect("the time after rejections", () => clock.now(), now);
  await form.fill({ seconds: "1", unit: "1" });
  await form.submit();
  await expect("the message after a valid value", form.rejected("seconds"), undefined);

  await account.call("POST", "/volumes", { label: "cache", region: "us-east", size: 20 });
  await expect("a third job", inProgress, ["◐1 job in progress"]);
  await account.close();
  await buttonOf(tab, "End all jobs").click();
  await expect("an emulator that has ended", textsOf(tab, "#panel .body > [role=alert]"), [UNREACHABLE]);
  return found;
}

/** Problems when a snapshot is saved and loaded. */
async function snapshotProblems(browser: Browser, folder: string): Promise<string[]> {
  await using account = await emulated({ account: "small" });
  await using page = await opened(browser, desk, account);
  const { tab } = page;
  const { found, expect } = comparison("snapshot");
  const state = async (): Promise<unknown> => (await fetch(`${account.console}state`)).json();
  const cards = async (): Promise<string[]> => (await textsOf(tab, ".canvas .card .card-name")()).sort();
  const form = formAt(tab, "Snapshot");
  const choose = async (file: string): Promise<void> => {
    const input = (await tab.$("input[name=file]")) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(file);
  };
  await tab.waitForSelector(".canvas .card");
  const [saved, drawn] = [await state(), await cards()];
  await tab.click("#tab-data");
  const session = await tab.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await tab.click("a[download]");
  const file = join(folder, "snapshot.json");
  const read = (): unknown => {
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch {
      return undefined;
    }
  };
  await expect("the saved file", read, saved);

  const [volume] = account.world.volumes.all();
  await account.call("DELETE", `/volumes/${volume?.id}`);
  await account.call("POST", "/volumes", { label: "later", region: "us-east", size: 20 });
  await expect("the account before the snapshot is loaded", async () => (await cards()).includes("later"), true);
  await form.submit();
  await expect("no file", form.invalid, "file");
  const changed = await state();
  const newer = join(folder, "newer.json");
  writeFileSync(newer, JSON.stringify({ version: 2 }));
  await choose(newer);
  await form.submit();
  const reason = "version: Must be 1: version 2 was written by a newer emulator";
  await expect("a snapshot of another version", form.problem, reason);
  writeFileSync(newer, "no snapshot");
  await choose(newer);
  await form.submit();
  await expect("a file that is not a snapshot", form.problem, "The body is not valid JSON");
  await expect("the account after rejections", state, changed);
  await choose(file);
  await form.submit();
  await expect("the snapshot", form.confirmed, "Snapshot loaded");
  await expect("the account", state, saved);
  await expect("the cards", cards, drawn);
  return found;
}

/** Problems when the account is replaced. */
async function resetProblems(browser: Browser): Promise<string[]> {
  await using account = await emulated();
  await using page = await opened(browser, desk, account);
  const { tab } = page;
  const { found, expect } = comparison("reset");
  const volumes = (): number => account.world.volumes.all().length;
  const cards = async (): Promise<boolean> => (await tab.$(".canvas .card")) !== null;
  await tab.locator(".empty button.primary").click();
  await expect("the example of an empty account", cards, true);
  await expect("its volumes", async () => (await account.call("GET", "/volumes")).results, volumes());
  account.faults.add({ path: "volumes.list", kind: "status", times: 2 });
  await tab.click("#tab-data");
  await buttonOf(tab, "Empty account").click();
  const question = textsOf(tab, ".seeds .danger");
  const count = await tab.$eval(".kind b", ({ textContent }) => textContent);
  await expect("a question before objects are deleted", question, [`Delete ${count} objects`]);
  await expect("the account before the confirmation", cards, true);
  await tab.locator(".seeds .danger").click();
  await expect("the cards of the empty account", cards, false);
  await expect("the empty account", volumes, 0);
  await expect("faults", () => account.faults.list(), []);
  await expect("requests", () => account.requests.list(), []);
  await expect("the question after the confirmation", question, []);
  await buttonOf(tab, "A few objects of every kind").click();
  await expect("the small account", cards, true);
  await tab.click("#tab-requests");
  await expect("the list of requests", textsOf(tab, "#panel .row"), []);
  await tab.click("#tab-data");
  await account.close();
  await buttonOf(tab, "10,000 objects").click();
  await tab.locator(".seeds .danger").click();
  await expect("an emulator that has ended", textsOf(tab, "#panel section [role=alert]"), [UNREACHABLE]);
  await expect("the cards after that", cards, true);
  return found;
}

/** Problems when users and tokens are created. */
async function accessProblems(browser: Browser): Promise<string[]> {
  await using account = await emulated();
  await using page = await opened(browser, desk, account);
  const { tab } = page;
  const { found, expect } = comparison("access");
  const [users, tokens] = [textsOf(tab, ".list:last-of-type li"), textsOf(tab, ".list:first-of-type li")];
  const [user, token] = [formAt(tab, "New user"), formAt(tab, "New token")];
  await tab.click("#tab-access");
  await user.submit();
  await expect("a user without a name", user.invalid, "username");
  await user.fill({ username: "ada" });
  await tab.click("input[name=restricted]");
  await user.submit();
  await expect("a user", user.confirmed, "User created");
  await expect("the users", users, ["emulatorall permissions", "adarestricted"]);
  await expect("the user's permissions", () => account.world.users.find("ada")?.restricted, true);
  await user.fill({ username: "ada" });
  await tab.click("input[name=restricted]");
  await user.submit();
  await expect("a second user with the name", user.rejected("username"), "Already exists (given ada)");
  await expect("the permissions after that", () => account.world.users.find("ada")?.restricted, true);

  await token.fill({ label: "ci", username: "ada", scopes: "read", expires_in: "-1" });
  await token.submit();
  await expect("a token that has expired", token.invalid, "expires_in");
  await token.fill({ expires_in: "99999999999" });
  await token.submit();
  const reason = async (): Promise<unknown> => (await token.rejected("expires_in")())?.replace(/\d{5,}/, "N");
  const expected = "Must be at most N seconds: the clock cannot advance beyond the year 9999";
  await expect("a token that expires after the year 9999", reason, expected);
  await expect("the label of the rejected token", token.value("label"), "ci");
  await expect("the user of the rejected token", token.value("username"), "ada");
  await expect("the tokens after rejections", tokens, ["emulatoremulator, all scopes"]);
  await token.fill({ expires_in: "1" });
  await token.submit();
  await expect("a token", token.confirmed, "Token created");
  const until = new Date(account.world.clock.now() + 3_600_000).toISOString().slice(0, 16).replace("T", " ");
  const shown = async (): Promise<string[]> => (await tokens()).map((text) => text.replace(/\d+ scopes/, "N scopes"));
  await expect("the tokens", shown, ["emulatoremulator, all scopes", `ciada, N scopesuntil ${until}`]);
  const created = await copied(tab, "Copy the token");
  await tab.browserContext().overridePermissions(new URL(tab.url()).origin, []);
  await tab.click('button[aria-label="Copy the address of the API"]');
  const denied = () => tab.$eval(".address button", (button) => button.ariaLabel);
  await expect("a denied copy", denied, "The browser does not allow copying. Select the text instead.");
  const status = (method: string) => async (): Promise<number> => {
    const headers = { authorization: `Bearer ${created}`, "content-type": "application/json" };
    const response = await fetch(`${account.url}/volumes`, {
      method,
      headers,
      ...(method === "POST" && { body: "{}" }),
    });
    return response.status;
  };
  await expect("a read with the token", status("GET"), 200);
  await expect("a write with the token", status("POST"), 403);
  account.advance(2 * 3_600_000);
  await expect("a read with the token after it has expired", status("GET"), 401);
  await expect("the tokens after that", shown, ["emulatoremulator, all scopes", "ciada, N scopesexpired"]);
  return found;
}

/** Problems when faults are added and removed. */
async function faultProblems(browser: Browser): Promise<string[]> {
  await using account = await emulated();
  await using page = await opened(browser, desk, account);
  const { tab } = page;
  const { found, expect } = comparison("faults");
  const faults = textsOf(tab, ".list li");
  const form = formAt(tab, "Make requests fail");
  await tab.click("#tab-faults");
  await form.fill({ path: "volumes.creat", times: "3" });
  await tab.select("form select:not([name])", "delay");
  await form.submit();
  const reason = 'There is no operation "volumes.creat"; did you mean "volumes.create"?';
  await expect("an unknown operation", form.rejected("path"), reason);
  await expect("the rejected operation", form.value("path"), "volumes.creat");
  await expect("the number after another kind of fault was chosen", form.value("times"), "3");
  await expect("the faults after the rejection", () => account.faults.list(), []);
  await form.fill({ path: "volumes.create" });
  await form.submit();
  await expect("a fault", form.confirmed, "Fault added");
  await expect("the faults", faults, ["volumes.createdelay 1000 ms, next request, 3 timeswaiting"]);
  await expect("the faults of the account", () => account.faults.list().length, 1);
  await buttonOf(tab, "Remove all faults").click();
  await expect("no faults", faults, []);
  await expect("no faults of the account", () => account.faults.list(), []);
  account.faults.add({ kind: "html" });
  await account.call("GET", "/volumes").catch(() => undefined);
  await expect("a fault that another client has added", async () => (await faults()).length, 1);
  await account.close();
  await buttonOf(tab, "Remove all faults").click();
  await expect("an emulator that has ended", textsOf(tab, "#panel .body > [role=alert]"), [UNREACHABLE]);
  return found;
}
