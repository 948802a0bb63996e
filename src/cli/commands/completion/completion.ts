import { UserError } from '../../../base/user-error.js';
import { defineCommand, fine, type CommandSpec, type ProgramSpec } from '../../context/command.js';
import { renderCompletion, shells, type Shell } from './shell-scripts.js';

export const completionOf = (program: ProgramSpec['name']): CommandSpec =>
  defineCommand({
    name: 'completion',
    summary: 'print a completion script for your shell',
    arguments: { '<shell>': `one of ${shells.join(', ')}` },
    examples: {
      [`${program} completion bash >> ~/.bashrc`]: 'set up completion for bash',
      [`${program} completion zsh >> ~/.zshrc`]: 'set up completion for zsh',
      [`${program} completion fish > ~/.config/fish/completions/${program}.fish`]:
        'set up completion for fish',
    },
    async run(context, [shell = '']) {
      if (!isShell(shell)) {
        throw new UserError(
          'unknown-shell',
          `Unknown shell: "${shell}".`,
          `Choose one of ${shells.join(', ')}.`,
        );
      }
      const script = renderCompletion(shell, context.program);
      if (context.json) context.emit({ shell, script });
      else context.print(script);
      return fine;
    },
  });

const isShell = (text: string): text is Shell => (shells as readonly string[]).includes(text);
