import { readFileSync, readdirSync } from 'node:fs'
const dir = process.argv[2]
for (const f of readdirSync(dir)) {
  const p = JSON.parse(readFileSync(`${dir}/${f}`, 'utf8')); const self = new Map(); let total = 0
  const byId = new Map(p.nodes.map((n) => [n.id, n]))
  p.samples.forEach((id, i) => { const n = byId.get(id); const d = p.timeDeltas[i]; const c = n.callFrame; if (c.functionName === '(idle)') return; total += d; const k = `${c.functionName || '(anon)'} ${c.url.split('/').slice(-2).join('/')}:${c.lineNumber}`; self.set(k, (self.get(k) ?? 0) + d) })
  if (total < 1e6) continue
  console.log(f, total / 1e6)
  for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log((v / total * 100).toFixed(1).padStart(5), k)
}
