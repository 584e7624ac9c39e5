import type { NameEncoding } from '../name-encodings.ts'

/**
 * The encodings that are recognized. ISO 8859-2 and ISO 8859-5 were used for texts of Central and Eastern Europe, KOI8-U for
 * Ukrainian texts, and all of them hardly for names in archives.
 */
export type OldEncoding = NameEncoding | 'iso-8859-2' | 'iso-8859-5' | 'koi8-u'

/** The characters before and after a character, or empty texts. */
export type CharacterContext = { readonly before: string; readonly after: string }

/** Frequent characters of each language, with which names of files are often written. */
const frequent: Partial<Record<OldEncoding, ReadonlySet<string>>> = {
  gb18030: new Set(
    '的一是不了在有人我这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快原吃妈变通师立象数四失满战远格士音轻目条呢病始达深完今提求清王化空业思切怎非找片罗钱图片资料照合同计划总结简历测试文档报告目录录音视频音乐电影下载备份项目说明',
  ),
  big5: new Set(
    '的一是不了在有人我這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間斯知世什兩次使身者被高已親其進此話常與活正感見明問力理爾點文幾定本公特做外孩相西果走將月十實向聲車全信重三機工物氣每並別真打太新比才便夫再書部水像眼等體卻加電主界門利海受聽表德少克代員許先口由死安寫性馬光白或住難望教命花結樂色更拉東神記處讓母父應直字場平報友關放至張認接告入笑內英軍候民歲往何度山覺路帶萬男邊風解叫任金快原吃媽變通師立象數四失滿戰遠格士音輕目條呢病始達深完今提求清王化空業思切怎非找片羅錢圖資料照合計劃簡歷測試檔案錄視頻影載備份項',
  ),
  shift_jis: new Set(
    '日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨新規文書資料写真表紙会議録案内請求見積契約報告計画予定設定画像動画音楽作成変更説明管理保存削除編集構想仕様能性機ソ',
  ),
  'euc-kr': new Set(
    '이다는에의가고하을를은지한도로사나자기어서시그대들아인스정리수라일해보제부전주있만상안구장무원과모조여오비소성신우동선마면생공국거진문개관미연트동경방유화교용식업회행위발음물학파임사진문서자료새폴더복사본그림음악영상보고서계획안내표가나다라마바',
  ),
}

const japanese: ReadonlySet<OldEncoding> = new Set<OldEncoding>(['shift_jis', 'euc-jp'])
const cyrillicEncodings: ReadonlySet<OldEncoding> = new Set<OldEncoding>([
  'windows-1251',
  'ibm866',
  'koi8-r',
  'koi8-u',
  'iso-8859-5',
])
const eastAsian: ReadonlySet<OldEncoding> = new Set<OldEncoding>([
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
])

const centralEuropean = new Set('řěščžýáíéúůťďňłąęśćźżńőűäöüßóŘŠČŽŁŚŻÝÁÍÉÚŐŰÄÖÜĽľ')

/** Letters that are usual in the languages of each encoding. */
const usualLetters: Partial<Record<OldEncoding, ReadonlySet<string>>> = {
  'windows-1252': new Set('äöüßéèêàâçñáíóúôîæøåëïãõÄÖÜÉÅØÆÑÁÍÓÚÇÀÈ'),
  cp850: new Set('äöüßéèêàâçñáíóúôîæøåëïãõÄÖÜÉÅØÆÑÁÍÓÚÇÀÈ'),
  cp437: new Set('äöüßéèêàâçñáíóúôîæåëïÄÖÜÉÅÆÑÇ'),
  'windows-1250': centralEuropean,
  'iso-8859-2': centralEuropean,
}

/**
 * The French letters that windows-1252 has where windows-1250 has letters of Central Europe: the letters before and after
 * each of them tell which one was meant. No language of Central Europe has `śu`, `śi`, `oű` or `oů`.
 */
const isFrenchPair = (character: string, { before, after }: CharacterContext): boolean =>
  /^œ[ui]/i.test(character + after) || /^o[ûù]/i.test(before + character)
const isImpossiblePair = (character: string, { before, after }: CharacterContext): boolean =>
  /^ś[ui]/i.test(character + after) || /^o[űů]/i.test(before + character)

/** Returns how probable a character is in a name, from -1 to 1. */
export type CharacterWeight = (character: string, context: CharacterContext) => number

/**
 * Returns the weights of characters whose bytes are read in an encoding. The weights were chosen with names of folders and
 * files in eleven languages.
 */
export function characterWeightsOf(encoding: OldEncoding): CharacterWeight {
  const weightOf = eastAsian.has(encoding)
    ? eastAsianWeights(encoding)
    : cyrillicEncodings.has(encoding)
      ? cyrillicWeight
      : latinWeights(encoding)
  return (character, context) => (/\p{Co}|\p{Cc}|\p{Cn}/u.test(character) ? -1 : weightOf(character, context))
}

function eastAsianWeights(encoding: OldEncoding): CharacterWeight {
  const known = frequent[encoding === 'euc-jp' ? 'shift_jis' : encoding]
  const common = commonHan(encoding)
  return (character) => {
    if (known?.has(character) === true) return 1
    if (/[\u3041-\u3096\u30A1-\u30FA\u30FC]/u.test(character)) return japanese.has(encoding) ? 0.9 : -0.3
    if (/[\uFF61-\uFF9F]/u.test(character)) return -0.5
    if (/[\uAC00-\uD7A3]/u.test(character)) return 0.55
    if (/\p{Script=Han}/u.test(character)) return common.has(character) ? 0.4 : -0.1
    return /[\uFF01-\uFF5E\u3001-\u301F\u00B7\u2014\u2026]/u.test(character) ? 0.2 : -0.5
  }
}

/** The first bytes of the common characters in each encoding. */
const commonLeads: Partial<Record<OldEncoding, readonly [first: number, last: number]>> = {
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
  shift_jis: [0x88, 0x97],
  'euc-jp': [0xb0, 0xcf],
}

/**
 * Returns the Chinese characters that an encoding lists as the common ones. None are common in Korean names.
 */
function commonHan(encoding: OldEncoding): ReadonlySet<string> {
  const [first, last] = commonLeads[encoding] ?? [0, -1]
  const trailStart = encoding === 'gb18030' || encoding === 'euc-jp' ? 0xa1 : 0x40
  const bytes: number[] = []
  for (let lead = first; lead <= last; lead += 1)
    for (let trail = trailStart; trail <= 0xfc; trail += 1) if (trail !== 0x7f) bytes.push(lead, trail)
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)))
}

const isLower = (text: string): boolean => /\p{Ll}/u.test(text)
const isUpper = (text: string): boolean => /\p{Lu}/u.test(text)
const isLetter = (text: string): boolean => /\p{L}/u.test(text)

/** The quotation marks, dashes and dots that word processors write in texts of all alphabets. */
const isTypographic = (character: string): boolean => /[‘’“”–—…]/.test(character)

function cyrillicWeight(character: string, { before, after }: CharacterContext): number {
  if (character === '№' || character === '«' || character === '»' || isTypographic(character)) return 0.2
  if (!/[а-яёА-ЯЁіїєґІЇЄҐўЎ]/u.test(character)) return -0.8
  // Words mix the alphabets only when the encoding is wrong.
  if (/[A-Za-z]/.test(before + after)) return -0.6
  // A capital letter after a small one, and a small letter after a capital one between small ones, are rare.
  if (isUpper(character)) return isLower(before) ? -0.7 : isUpper(after) || !isLetter(after) ? 0.5 : 0.7
  return /[оеаинтсрвлкмдпу]/u.test(character) ? 0.95 : 0.65
}

function latinWeights(encoding: OldEncoding): CharacterWeight {
  const letters = usualLetters[encoding]
  const isUsual = (character: string, context: CharacterContext): boolean =>
    letters === centralEuropean
      ? letters.has(character) && !isImpossiblePair(character, context)
      : letters?.has(character) === true || isFrenchPair(character, context)
  return (character, { before, after }) => {
    if (isTypographic(character)) return 0.5
    if (!isLetter(character)) return -0.8
    if (isUpper(character) && isLower(before)) return -0.7
    // Letters with accents are usually between letters without accents.
    const neighbours = [before, after].filter((one) => isLetter(one))
    const isAmongPlain = neighbours.length > 0 && neighbours.every((one) => one < '\u0080')
    return (isUsual(character, { before, after }) ? 0.5 : 0) + (isAmongPlain ? 0.35 : -0.3)
  }
}
