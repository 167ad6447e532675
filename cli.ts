import { check, checkHelp } from './commands/check.ts';
import { ConfigurationError } from './helpers/config/read-settings.ts';

type Command = (args: readonly string[]) => Promise<number>;

const commands: Readonly<Record<string, Command>> = { check };

const help = `Holds a running service to the document of the task assignment and audit export interface.

${checkHelp}
`;

async function main([name = 'check', ...rest]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help);
    return 0;
  }
  // Options without a command belong to the default one.
  const command = name.startsWith('-') ? check : commands[name];
  if (command === undefined) {
    console.error(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.`);
    return 2;
  }
  try {
    return await command(name.startsWith('-') ? [name, ...rest] : rest);
  } catch (error) {
    if (error instanceof ConfigurationError) {
      console.error(`The configuration cannot be used; nothing was sent.\n\n${error.message}`);
      return 2;
    }
    if (
      error instanceof TypeError &&
      'code' in error &&
      String(error.code).startsWith('ERR_PARSE_ARGS')
    ) {
      console.error(`${error.message}\n\n${help}`);
      return 2;
    }
    throw error;
  }
}

process.exitCode = await main(process.argv.slice(2));
