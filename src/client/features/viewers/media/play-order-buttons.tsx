import { Repeat, Repeat1, Shuffle } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { useStore } from '../../../state/store.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type RepeatMode, repeatMode, shuffle, stepRepeatMode, toggleShuffle } from './play-order.ts'

/** Renders the buttons for the random order and for repeating. A folder with one audio file has no order. */
export function PlayOrderButtons({ hasOthers }: { readonly hasOthers: boolean }) {
  const repeat = useStore(repeatMode)
  const isShuffled = useStore(shuffle) !== 'off'
  return (
    <>
      {hasOthers && (
        <IconButton
          icon={Shuffle}
          label={t('viewer.shuffle')}
          aria-pressed={isShuffled}
          onClick={toggleShuffle}
        />
      )}
      <IconButton
        icon={repeat === 'one' ? Repeat1 : Repeat}
        label={repeatText(repeat)}
        aria-pressed={repeat !== 'off'}
        onClick={stepRepeatMode}
      />
    </>
  )
}

function repeatText(repeat: RepeatMode): string {
  if (repeat === 'off') return t('viewer.repeatOff')
  return repeat === 'all' ? t('viewer.repeatAll') : t('viewer.repeatOne')
}
