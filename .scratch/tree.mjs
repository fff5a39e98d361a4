import { readFileSync, readdirSync } from 'node:fs'
const dir = process.argv[2], root = process.argv[3], depth = Number(process.argv[4] ?? 4)
for (const f of readdirSync(dir)) {
  const p = JSON.parse(readFileSync(`${dir}/${f}`, 'utf8')); const byId = new Map(p.nodes.map((n) => [n.id, n])); for (const n of p.nodes) n.t = 0
  p.samples.forEach((id, i) => { byId.get(id).t += p.timeDeltas[i] })
  const merged = { kids: new Map(), t: 0 }
  const incl = (n) => n.t + (n.children ?? []).reduce((s, c) => s + incl(byId.get(c)), 0)
  const add = (into, n) => { into.t += incl(n); into.self = (into.self ?? 0) + n.t; for (const c of n.children ?? []) { const k = byId.get(c); const name = `${k.callFrame.functionName || '(anon)'} ${k.callFrame.url.split('/').slice(-2).join('/')}:${k.callFrame.lineNumber}`; if (!into.kids.has(name)) into.kids.set(name, { kids: new Map(), t: 0 }); add(into.kids.get(name), k) } }
  for (const n of p.nodes) if (n.callFrame.functionName === root) add(merged, n)
  if (merged.t < 1e5) continue
  const show = (n, name, d) => { if (n.t < merged.t * 0.008 || d > depth) return; console.log(' '.repeat(d * 2) + (n.t / merged.t * 100).toFixed(1).padStart(5) + ' self ' + ((n.self ?? 0) / merged.t * 100).toFixed(1) + ' ' + name); for (const [k, v] of [...n.kids].sort((a, b) => b[1].t - a[1].t)) show(v, k, d + 1) }
  console.log(f, merged.t / 1e6); show(merged, root, 0)
}
