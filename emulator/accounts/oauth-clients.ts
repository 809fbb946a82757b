import { oauthClients } from "../../api";
import type { Plan } from "./account";

export const plan: Plan = {
  async small({ call }) {
    await call(oauthClients.create, {
      body: { label: "dashboard", redirect_uri: "https://dashboard.example.org/oauth" },
    });
  },
};
