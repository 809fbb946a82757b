/**
 * A fake Pulumi CLI that keeps the state of a single stack in a file. `stack import` reads a state from `--file`, or stdin.
 * If `LOST` is set, it writes the state, runs that command and fails. `CONFIG` is the configuration.
 */
export const fakePulumi = `#!/bin/sh
case "$1 $2" in
  "stack export") cat "$STACK" ;;
  "stack import")
    while [ $# -gt 0 ]; do if [ "$1" = --file ]; then file=$2; fi; shift; done
    cat $file > "$STACK"
    if [ "$LOST" ]; then eval "$LOST"; echo "error: the connection was reset" >&2; exit 255; fi ;;
  "stack --show-name") echo prod ;;
  "stack ls") echo '[{"name":"team/shop/prod"}]' ;;
  "whoami --json") echo '{"url":"https://app.pulumi.com"}' ;;
  "config --json") if [ "$CONFIG" ]; then echo "$CONFIG"; else echo "{}"; fi ;;
  "preview --json") echo '{"steps":[{"op":"create","urn":"urn:pulumi:prod::shop::cloudinfra:index:Volume::planned"}]}' ;;
esac
`;
