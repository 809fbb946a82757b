import { useState } from "preact/hooks";
import { send } from "./control";
import { Code } from "./empty";
import { Field, Form } from "./form";
import { emulatedNow, names, state } from "./store";

type Values = Readonly<Record<string, string>>;

/** Users and tokens. A new token is shown once. */
export function Access() {
  const { users = [], tokens = [], totals } = state.value ?? {};
  const [created, setCreated] = useState("");
  const addToken = async ({ label, username, scopes, expires_in }: Values): Promise<string> => {
    const { token } = await send<{ token: string }>("POST", "tokens", {
      ...(label && { label }),
      ...(username && { username }),
      scopes: scopes === "read" ? names.value.scopes.filter((scope) => scope.endsWith(":read_only")) : "*",
      ...(expires_in && { expires_in: Number(expires_in) * 3600 }),
    });
    setCreated(token);
    return "Token created";
  };
  const addUser = async ({ username, restricted }: Values): Promise<string> => {
    await send("POST", "users", { username, restricted: restricted === "on", is_new: true });
    return "User created";
  };
  return (
    <div class="body">
      <h2>Tokens</h2>
      <ul class="list">
        {tokens.map(({ label, username, scopes, expires }, i) => (
          <li key={i}>
            <span class="row-text">
              <span class="row-name">{label}</span>
              <span class="row-note">
                {username}, {scopes === "*" ? "all scopes" : `${scopes.length} scopes`}
              </span>
            </span>
            {expires !== null && (
              <span class={`mark t-${expires <= emulatedNow() ? "bad" : "plain"}`}>
                {expires <= emulatedNow()
                  ? "expired"
                  : `until ${new Date(expires).toISOString().slice(0, 16).replace("T", " ")}`}
              </span>
            )}
          </li>
        ))}
      </ul>
      <More listed={tokens.length} total={totals?.tokens} />
      <Form title="New token" action="Create the token" submit={addToken}>
        <div class="fields">
          <Field label="Label">
            <input name="label" maxlength={100} placeholder="ci" autocomplete="off" />
          </Field>
          <Field label="User">
            <select name="username">
              {users.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
        </div>
        <div class="fields">
          <Field label="Scopes">
            <select name="scopes">
              <option value="all">all</option>
              <option value="read">read-only</option>
            </select>
          </Field>
          <Field label="Expires in (hours)">
            <input name="expires_in" type="number" min={0} step="any" placeholder="never" />
          </Field>
        </div>
        {created && <Code text={created} label="Copy the token" />}
      </Form>
      <h2>Users</h2>
      <ul class="list">
        {users.map(({ name, restricted }) => (
          <li key={name}>
            <span class="row-name">{name}</span>
            <span class="mark t-plain">{restricted ? "restricted" : "all permissions"}</span>
          </li>
        ))}
      </ul>
      <More listed={users.length} total={totals?.users} />
      <Form title="New user" action="Create the user" submit={addUser}>
        <Field label="Name">
          <input name="username" required autocomplete="off" />
        </Field>
        <label class="check">
          <input name="restricted" type="checkbox" /> Restricted: can do only what grants allow
        </label>
      </Form>
    </div>
  );
}

/** The number of entries that a list omits. */
const More = ({ listed, total = listed }: { listed: number; total: number | undefined }) =>
  total > listed ? (
    <p class="soft">
      The first {listed} of {total.toLocaleString("en")}
    </p>
  ) : null;
