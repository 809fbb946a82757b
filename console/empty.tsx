import { send } from "./control";
import { Problem, useAttempt } from "./form";
import { Copy, Icon } from "./nodes";

/** What a new user sees: how to fill the account. */
export function Empty() {
  const [problem, attempt] = useAttempt();
  const fill = (account: string): Promise<void> => attempt(() => send("POST", "reset", { account }));
  const url = `${location.origin}/v4`;
  const config = `pulumi config set cloudinfra:url ${url}\npulumi config set --secret cloudinfra:token emulator\npulumi up`;
  const curl = `curl ${url}/volumes -H "Authorization: Bearer emulator" \\\n  -H "Content-Type: application/json" -d '{"label": "data", "region": "us-east"}'`;
  return (
    <div class="empty">
      <Icon name="picture" />
      <h2>This account is empty</h2>
      <p>Objects appear here as they are created, and change as they boot, resize and move.</p>
      <h3>From a Pulumi program</h3>
      <Code text={config} label="Copy the Pulumi commands" />
      <h3>With a request</h3>
      <Code text={curl} label="Copy the request" />
      <h3>With an example</h3>
      <p class="actions">
        <button type="button" class="primary" onClick={() => void fill("small")}>
          A few objects of every kind
        </button>
        <button type="button" onClick={() => void fill("large")}>
          10,000 objects
        </button>
      </p>
      <Problem text={problem} />
    </div>
  );
}

export const Code = ({ text, label }: { text: string; label: string }) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text scrolls, also by keyboard */}
    <pre tabIndex={0}>{text}</pre>
    <Copy text={text} label={label} />
  </div>
);
