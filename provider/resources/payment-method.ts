import { z } from "zod";
import { type CreditCard, PaymentMethod, paymentMethods } from "../../api";
import type { Host } from "../engine";
import { resource } from "../engine/resource";

const { shape } = paymentMethods.add.body;
const { data } = PaymentMethod.shape;

export const paymentMethod = resource({
  kind: "PaymentMethod",
  summary:
    "A credit card that the account pays with. A card that is there already is taken over: an account needs none twice.",
  source: "part 3 · Endpoints · Account and billing · rule 3",
  area: "paymentMethods",
  inputs: paymentMethods.add.body.extend({
    is_default: z
      .boolean()
      .optional()
      .describe(
        "`true` makes it the one that is charged when nothing else is named. `false` leaves it to another one to become that: an account always has a default.",
      ),
    // All of it is secret: a message about what is ill-formed in it would show what is there.
    data: shape.data
      .meta({ secret: true })
      .describe(
        "The card. The service keeps its last four digits and its last month: a change that leaves those as they are does nothing.",
      ),
  }),
  // The service shows of the card under `data` what it keeps; there the state has what the program states.
  outputs: PaymentMethod.omit({ data: true }).extend(data.shape),
  changes: { type: "replace", data: "replace", is_default: "prefer" },
  exceptions: { is_default: "`paymentMethods.makeDefault`" },
  steps: { prefer: { run: ({ api, path }) => api.paymentMethods.makeDefault({ path }) } },
  observe: { data: keptOf },
  compare: {
    is_default: (value, { is_default: wanted }) => (wanted === false ? wanted : value),
    // Two cards that the service shows alike are one card to it, and so to us.
    data: ({ card_number, expiry_month, expiry_year }) => ({
      card_number: card_number.slice(-4),
      expiry_month,
      expiry_year,
    }),
  },
  // Adding answers nothing, so the card is looked up, before as well as after: made again it is the same one.
  key: "repeatable",
  async create({ api, want: { type, is_default, data } }) {
    const there = await cardIn(api, data);
    if (there !== undefined) return { paymentMethodId: there };
    await api.paymentMethods.add({ body: { type, is_default, data } });
    const added = await cardIn(api, data);
    if (added === undefined)
      throw new Error("PaymentMethod: the service took the card but does not list it; run the update again");
    return { paymentMethodId: added };
  },
  read: async (_, { data, ...record }) => ({ ...record, ...data }),
  async delete({ api, host, path, seen }) {
    if (seen.is_default) await handOver(api, host, seen);
    await api.paymentMethods.delete({ path });
  },
});

type Shown = { id: number; card_type: string; last_four: string; expiry: string };

const expiryOf = ({ expiry_month, expiry_year }: CreditCard): string =>
  `${String(expiry_month).padStart(2, "0")}/${expiry_year}`;

/** What can be said of a card whose number is kept nowhere. */
function keptOf({ last_four, expiry }: Pick<Shown, "last_four" | "expiry">): CreditCard {
  const [month, year] = expiry.split("/").map(Number);
  return { card_number: last_four, expiry_month: Number(month), expiry_year: Number(year), cvv: "" };
}

/** The newest of the account's methods with this card. */
async function cardIn(api: Host["api"], card: CreditCard): Promise<number | undefined> {
  const methods = await Array.fromAsync(api.paymentMethods.list.all());
  const like = methods.filter(
    ({ data }) => card.card_number.endsWith(data.last_four) && data.expiry === expiryOf(card),
  );
  const ids = like.map(({ id }) => id);
  return ids.length ? Math.max(...ids) : undefined;
}

/** An account always has a default: where only one other method is left it takes over, else somebody has to choose. */
async function handOver(api: Host["api"], host: Host, seen: Shown): Promise<void> {
  const others = (await Array.fromAsync(api.paymentMethods.list.all())).filter(({ id }) => id !== seen.id);
  const named = others.map(({ id, data }) => `${id} (${data.card_type} ending in ${data.last_four})`);
  const [only] = others;
  const me = `PaymentMethod ${seen.id} (${seen.card_type} ending in ${seen.last_four})`;
  if (!only)
    throw new Error(
      `${me} is the account's only payment method, which the service does not delete; add another one first`,
    );
  if (others.length > 1)
    throw new Error(
      `${me} is the default, which the service does not delete; make another one the default first: ${named.join(", ")}`,
    );
  host.warn(`${me} was the default; payments are charged to ${named[0]} from now on`);
  await api.paymentMethods.makeDefault({ path: { paymentMethodId: only.id } });
}
