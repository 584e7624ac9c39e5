import { Repeat, Repeat1, Shuffle } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { useStore } from '../../../state/store.ts'
import type { Tools } from '../frame/tool.ts'
import { type RepeatMode, repeatMode, shuffle, stepRepeatMode, toggleShuffle } from './play-order.ts'

/** Returns the buttons for the random order and for repeating. A folder with one audio file has no order. */
export function usePlayOrderTools({ hasOthers }: { readonly hasOthers: boolean }): Tools {
  const repeat = useStore(repeatMode)
  const isShuffled = useStore(shuffle) !== 'off'
  return [
    hasOthers && { icon: Shuffle, label: t('viewer.shuffle'), isPressed: isShuffled, run: toggleShuffle },
    {
      icon: repeat === 'one' ? Repeat1 : Repeat,
      label: repeatText(repeat),
      isPressed: repeat !== 'off',
      run: stepRepeatMode,
    },
  ]
}

function repeatText(repeat: RepeatMode): string {
  if (repeat === 'off') return t('viewer.repeatOff')
  return repeat === 'all' ? t('viewer.repeatAll') : t('viewer.repeatOne')
}
