// Solutions of the tasks of code60 that ask for a function. A test runs the tests of the dataset on them.
function reverseWords(text) { return text.split(' ').reverse().join(' ') }

function secondLargest(numbers) {
  const different = [...new Set(numbers)].sort((a, b) => b - a)
  return different.length > 1 ? different[1] : null
}

function toRoman(number) {
  const digits = [['M', '', ''], ['C', 'D', 'M'], ['X', 'L', 'C'], ['I', 'V', 'X']]
  return String(number).padStart(4, '0').split('').map((d, i) => {
    const [one, five, ten] = digits[i]
    return ['', one, one + one, one + one + one, one + five, five, five + one, five + one + one,
      five + one + one + one, one + ten][d]
  }).join('')
}

function isLeapYear(year) { return new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29 }

function areAnagrams(a, b) {
  const sorted = text => [...text.toLowerCase().replaceAll(' ', '')].sort().join('')
  return sorted(a) === sorted(b)
}

function fizzBuzz(n) {
  return Array.from({length: n}, (_, i) => ((i + 1) % 3 ? '' : 'Fizz') + ((i + 1) % 5 ? '' : 'Buzz') || i + 1)
}

function mergeSorted(a, b) {
  const out = []
  let i = 0, j = 0
  while (i < a.length || j < b.length) {
    out.push(j >= b.length || i < a.length && a[i] <= b[j] ? a[i++] : b[j++])
  }
  return out
}

function isBalanced(text) {
  let brackets = text.replace(/[^()[\]{}]/g, ''), before
  do {
    before = brackets
    brackets = brackets.replace(/\(\)|\[\]|\{\}/g, '')
  } while (brackets !== before)
  return brackets === ''
}

function caesar(text, shift) {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'
  return text.replace(/[a-z]/g, c => alphabet.at((alphabet.indexOf(c) + shift) % 26))
}

function wordCounts(text) {
  const counts = {}
  for (const word of text.split(' ')) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

function primesUpTo(n) {
  const composite = new Set(), primes = []
  for (let p = 2; p <= n; p++) {
    if (composite.has(p)) continue
    primes.push(p)
    for (let m = p * p; m <= n; m += p) composite.add(m)
  }
  return primes
}

function transpose(matrix) { return matrix[0].map((_, i) => matrix.map(row => row[i])) }

function daysBetween(from, to) { return (Date.parse(to) - Date.parse(from)) / 86400000 }

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), half = sorted.length / 2
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2
}

function runLength(text) { return text.replace(/(.)\1*/gs, run => run[0] + run.length) }

function digitalRoot(n) { return n === 0 ? 0 : 1 + (n - 1) % 9 }

function groupByLength(words) {
  const groups = {}
  for (const word of words) (groups[word.length] ??= []).push(word)
  return groups
}

function unique(values) { return [...new Set(values)] }

function rotate(values, n) {
  const last = values.length ? n % values.length : 0
  return [...values.slice(values.length - last), ...values.slice(0, values.length - last)]
}

function mergeIntervals(intervals) {
  const out = []
  for (const [start, end] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else out.push([start, end])
  }
  return out
}
