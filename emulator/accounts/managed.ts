import { managedContacts, managedCredentials, managedServices } from "../../api";
import type { Plan } from "./account";

export const plan: Plan = {
  async small({ call }) {
    await call(managedContacts.create, { body: { name: "On call", email: "oncall@example.org", group: "on-call" } });
    const login = { label: "deployment", username: "deploy", password: "Correct-Horse-42" };
    const { id } = await call(managedCredentials.create, { body: login });
    const address = "https://www.example.org";
    await call(managedServices.create, {
      body: {
        label: "website",
        service_type: "url",
        address,
        timeout: 30,
        consultation_group: "on-call",
        credentials: [id],
      },
    });
  },
};
