import { send } from "./control";
import { firstCommands } from "./first-commands";
import { Problem, useAttempt } from "./form";
import { Copy, Icon } from "./nodes";
import { connection } from "./store";

/** What a new user sees: how to fill the account. */
export function Empty() {
  const [problem, attempt] = useAttempt();
  const fill = (account: string): Promise<void> => attempt(() => send("POST", "reset", { account }));
  const { pulumi, curl } = firstCommands(`${location.origin}/v4`, connection.value);
  return (
    <div class="empty">
      <Icon name="picture" />
      <h2>This account is empty</h2>
      <p>Objects appear here as they are created, and change as they boot, resize and move.</p>
      <h3>From a Pulumi program</h3>
      <Code text={pulumi} label="Copy the Pulumi commands" />
      <h3>With a request</h3>
      <Code text={curl} label="Copy the request" />
      {connection.value.token === null && (
        <p class="soft">CLOUDINFRA_TOKEN is the token with which the emulator was started.</p>
      )}
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
