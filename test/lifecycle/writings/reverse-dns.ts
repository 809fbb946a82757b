import { address, host } from "../spellings";
import type { Writings } from "./writing";

export const reverseDns: Writings = ({ address: text }) => [
  { as: {}, or: { address: address(text as string), rdns: host("mail.example.org") } },
];
