import { type ComponentChildren, cloneElement, createContext, type VNode } from "preact";
import { useContext, useState } from "preact/hooks";
import { messageOf, Rejected, textOf } from "./control";

interface FormProps {
  title: string;
  /** Text of the button. */
  action: string;
  /** Sends the values of the fields by name, and returns the text that confirms it. */
  submit: (values: Readonly<Record<string, string>>) => Promise<string>;
  children: ComponentChildren;
}

/** The reason why something was rejected, if it was. */
export const Problem = ({ text }: { text: string }) =>
  text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;

/** The reason of the last failure, and a function that runs work and keeps the reason if it fails. */
export function useAttempt(): [problem: string, attempt: (work: () => Promise<unknown>) => Promise<void>] {
  const [problem, setProblem] = useState("");
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      setProblem("");
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return [problem, attempt];
}

/** Why a form was rejected: the reasons that name one of its fields, by field, and all others. */
interface Rejection {
  fields: Readonly<Record<string, string>>;
  others: string;
}

const none: Rejection = { fields: {}, others: "" };

function rejectionOf(error: unknown, { elements }: HTMLFormElement): Rejection {
  if (!(error instanceof Rejected)) return { fields: {}, others: messageOf(error) };
  const fields: Record<string, string> = {};
  const others = error.reasons.filter(({ field, reason }) => {
    if (!field || !elements.namedItem(field)) return true;
    fields[field] = reason;
    return false;
  });
  return { fields, others: textOf(others) };
}

const RejectedFields = createContext(none.fields);

/**
 * A form that reports below its button whether it was accepted. A reason that names a field is shown at the field, which
 * gets the focus.
 */
export function Form({ title, action, submit, children }: FormProps) {
  const [done, setDone] = useState("");
  const [rejection, setRejection] = useState(none);
  const submitted = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    try {
      setDone(await submit(Object.fromEntries(new FormData(form)) as Record<string, string>));
      setRejection(none);
    } catch (error) {
      const reasons = rejectionOf(error, form);
      setDone("");
      setRejection(reasons);
      const [first] = Object.keys(reasons.fields);
      if (first) form.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
    }
  };
  return (
    <form aria-label={title} onSubmit={(event) => void submitted(event)}>
      <h2>{title}</h2>
      <RejectedFields.Provider value={rejection.fields}>{children}</RejectedFields.Provider>
      <p class="actions">
        <button type="submit" class="primary">
          {action}
        </button>
        <span role="status">{done}</span>
      </p>
      <Problem text={rejection.others} />
    </form>
  );
}

interface FieldProps {
  label: string;
  hint?: string;
  /** The control. Its name is that of the field in requests. */
  children: VNode<{ name?: string }>;
}

export function Field({ label, hint, children }: FieldProps) {
  const reason = useContext(RejectedFields)[children.props.name ?? ""];
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="field">
      <span>{label}</span>
      {cloneElement(children, { "aria-invalid": reason !== undefined })}
      {hint && <small>{hint}</small>}
      {reason && (
        <small class="problem" role="alert">
          {reason}
        </small>
      )}
    </label>
  );
}
