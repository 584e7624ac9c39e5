import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { copyText } from '../../operations/copy-text.ts'
import { Button } from '../../ui/button.tsx'

type CopyLinkButtonProps = { readonly url: string; readonly isFocused: boolean }

/**
 * Copies a link. The button itself says so, because notices are behind the dialog. When the browser copies nothing, the
 * button says that the address has to be selected.
 */
export function CopyLinkButton({ url, isFocused }: CopyLinkButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  return (
    <Button
      kind={outcome === 'copied' ? 'secondary' : 'primary'}
      icon={outcome === 'copied' ? 'check' : 'copy'}
      ref={(button) => {
        if (isFocused) button?.focus()
      }}
      onClick={() => void copyText(url).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))}
    >
      <output>{t(`share.copy.${outcome}`)}</output>
    </Button>
  )
}
