/** Settings for npm in tests: packages come from the cache if possible, and an unreachable registry fails soon. */
export const quickNpm = {
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_fetch_retries: "1",
  npm_config_fetch_timeout: "20000",
};

/**
 * The code of npm's error if a command failed because the registry cannot be reached, as on a machine without a network.
 * Undefined for any other failure.
 */
export function unreachableCode(stderr: string): string | undefined {
  const [, code] = /npm error code (\S+)/.exec(stderr) ?? [];
  return code !== undefined && /^(E?NOT(FOUND|CACHED)|EAI_|ECONN|ENET|EHOST|E?TIMEDOUT|ERR_SOCKET)/.test(code)
    ? code
    : undefined;
}
