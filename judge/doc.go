// Package judge says whether an answer is right. So far there is one judge: the
// deterministic match with the gold.
//
// It may import datasets, datasets/answer, runner/model, runner/trace, the injection
// guard and internal/stats.
package judge
