import { messagePages } from "../../tools/site/.vitepress/messages.mts";

export default { watch: ["../troubleshooting.md"], paths: messagePages };
