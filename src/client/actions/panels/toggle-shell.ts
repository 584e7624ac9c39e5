import { SquareTerminal } from 'lucide'
import { config } from '../../api/config.ts'
import { isShellOpen } from '../../state/panels/shell.ts'
import type { Action } from '../action.ts'

const isOffered = config().EnableExec

/** Shows or hides the shell. Servers that run no commands do not have it (specification 6). */
export const toggleShell: Action = {
  id: 'shell',
  label: 'action.shell',
  icon: SquareTerminal,
  needs: 'execute',
  takes: 'nothing',
  suits: () => isOffered,
  keys: isOffered ? ['ctrl+`'] : [],
  isGlobal: true,
  places: isOffered ? ['header'] : [],
  run: () => isShellOpen.set((isOpen) => !isOpen),
}
