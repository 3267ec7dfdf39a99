// Each function is sent only with programs that need it. A line that begins with "const" begins a function.
const range = (from, to) => Array.from({length: Math.max(0, to - from + 1)}, (_, i) => from + i)
const sum = all => all.reduce((a, b) => a + b, 0)
const product = all => all.reduce((a, b) => a * BigInt(b), 1n)
const mean = all => sum(all) / all.length
const reversed = text => [...text].reverse().join('')
const letters = text => text.toLowerCase().match(/\p{L}/gu) ?? []
const vowels = text => letters(text).filter(c => 'aeiou'.includes(c))
const words = text => text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
const digits = n => [...String(n)].filter(c => c !== '-').map(Number)
const days = (from, to) => Math.round(Math.abs(Date.parse(to) - Date.parse(from)) / 86400000)
const gcd = (a, b) => b ? gcd(b, a % b) : a
const lcm = (a, b) => a / gcd(a, b) * b
const divisors = n => {
  const low = range(1, Math.floor(Math.sqrt(n))).filter(d => n % d === 0)
  return [...new Set([...low, ...low.map(d => n / d)])].sort((a, b) => a - b)
}
const isPrime = n => {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false
  return n > 1
}
const nextPrime = n => {
  do n++; while (!isPrime(n))
  return n
}
const primeAt = n => {
  let p = 1
  while (n-- > 0) p = nextPrime(p)
  return p
}
const primeFactors = n => {
  const found = []
  for (let d = 2; n > 1; d++) {
    if (d * d > n) d = n
    while (n % d === 0) found.push(d), n /= d
  }
  return found
}
const fibonacci = (n, first) => {
  let [a, b] = [0n, first]
  while (n-- > 0) [a, b] = [b, a + b]
  return a
}
