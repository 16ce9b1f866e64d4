// Package archtest holds the laws of the house as tests: who may import whom, who
// owns which dependency, how long a function may be, and that the documents name
// the packages that exist. It has no other code; run it with -count=1, because its
// verdict depends on files that the test cache does not see.
package archtest
