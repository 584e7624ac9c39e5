import type { FileTree } from '../kit/tree.ts'

const people = `name,age,note
Zoë,9,"said ""hi"", twice"
Ben,30,=HYPERLINK("https://evil.example/";"click")
Ann,100,<script>top.hacked = 1</script><img src=x onerror="top.hacked = 1">
"broken,1,quote
last,7,${'long '.repeat(100)}end
`

/** Tables with several separators, encodings and sizes. */
export async function tableFiles(): Promise<FileTree> {
  const rows = Array.from(
    { length: 1_000_000 },
    (_, row) => `${row + 1},name ${row % 977},${(row * 7919) % 1_000_003}`,
  )
  return {
    'cyrillic.csv': Buffer.from('e8ecff3be3eef0eee40ac0ededa03bcceef1eae2e00a', 'hex'),
    'decimal.csv': 'Stück;Preis\n2;1,50\n10;0,99\n',
    'million.csv': `id,name,value\n${rows.join('\n')}\n`,
    'old.csv': Buffer.from('name;ort\nM\xfcller;K\xf6ln\n', 'latin1'),
    'people.csv': people,
    'tabs.tsv': 'a\tb\n1, 2\t3\n',
    'wide.csv': `${Array.from({ length: 5000 }, (_, column) => `c${column}`).join(',')}\n${'x,'.repeat(4999)}end\n`,
  }
}
