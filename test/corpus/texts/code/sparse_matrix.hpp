#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace linalg {

/// One entry while a matrix is being assembled.
struct Triplet {
    std::size_t row;
    std::size_t column;
    double value;
};

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b)
{
    assert(a.size() == b.size());
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

/// y += factor * x
inline void axpy(double factor, const Vector& x, Vector& y)
{
    assert(x.size() == y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] += factor * x[i];
    }
}

/// Compressed sparse rows: the columns of row r are columns_[starts_[r]] up to columns_[starts_[r + 1]].
class SparseMatrix {
public:
    SparseMatrix(std::size_t rows, std::size_t columns, std::vector<Triplet> entries) : rows_(rows), cols_(columns)
    {
        for (const Triplet& entry : entries) {
            if (entry.row >= rows || entry.column >= columns) {
                throw std::out_of_range("entry outside the matrix");
            }
        }
        std::sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
            return a.row != b.row ? a.row < b.row : a.column < b.column;
        });
        starts_.assign(rows + 1, 0);
        for (std::size_t i = 0; i < entries.size();) {
            double sum = 0;
            std::size_t j = i;
            // Elements that share a node write the same place; their contributions add up.
            while (j < entries.size() && entries[j].row == entries[i].row && entries[j].column == entries[i].column) {
                sum += entries[j].value;
                ++j;
            }
            columns_.push_back(entries[i].column);
            values_.push_back(sum);
            ++starts_[entries[i].row + 1];
            i = j;
        }
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    }

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return cols_; }
    std::size_t entries() const { return values_.size(); }

    double at(std::size_t row, std::size_t column) const
    {
        const auto first = columns_.begin() + static_cast<std::ptrdiff_t>(starts_[row]);
        const auto last = columns_.begin() + static_cast<std::ptrdiff_t>(starts_[row + 1]);
        const auto found = std::lower_bound(first, last, column);
        if (found == last || *found != column) {
            return 0;
        }
        return values_[static_cast<std::size_t>(found - columns_.begin())];
    }

    Vector multiply(const Vector& x) const
    {
        if (x.size() != cols_) {
            throw std::invalid_argument("vector does not fit the matrix");
        }
        Vector y(rows_, 0.0);
        for (std::size_t row = 0; row < rows_; ++row) {
            double sum = 0;
            for (std::size_t k = starts_[row]; k < starts_[row + 1]; ++k) {
                sum += values_[k] * x[columns_[k]];
            }
            y[row] = sum;
        }
        return y;
    }

    SparseMatrix transposed() const
    {
        std::vector<Triplet> entries;
        entries.reserve(values_.size());
        for (std::size_t row = 0; row < rows_; ++row) {
            for (std::size_t k = starts_[row]; k < starts_[row + 1]; ++k) {
                entries.push_back({columns_[k], row, values_[k]});
            }
        }
        return SparseMatrix(cols_, rows_, std::move(entries));
    }

    Vector diagonal() const
    {
        Vector result(std::min(rows_, cols_));
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = at(i, i);
        }
        return result;
    }

    bool symmetric(double tolerance = 1e-12) const
    {
        if (rows_ != cols_) {
            return false;
        }
        for (std::size_t row = 0; row < rows_; ++row) {
            for (std::size_t k = starts_[row]; k < starts_[row + 1]; ++k) {
                const double mirrored = at(columns_[k], row);
                if (std::abs(values_[k] - mirrored) > tolerance * std::max(1.0, std::abs(values_[k]))) {
                    return false;
                }
            }
        }
        return true;
    }

private:
    std::size_t rows_;
    std::size_t cols_;
    std::vector<std::size_t> starts_;
    std::vector<std::size_t> columns_;
    std::vector<double> values_;
};

struct SolveResult {
    Vector x;
    std::size_t iterations = 0;
    double residual = 0;
    bool converged = false;
};

struct SolveOptions {
    double relative_tolerance = 1e-9;
    std::size_t max_iterations = 0;  ///< 0: ten times the number of unknowns
    bool precondition = true;
};

/// Conjugate gradients for symmetric positive definite systems.
inline SolveResult solve_cg(const SparseMatrix& a, const Vector& b, const SolveOptions& options = {})
{
    if (a.rows() != a.columns() || b.size() != a.rows()) {
        throw std::invalid_argument("system is not square");
    }
    SolveResult result;
    result.x.assign(b.size(), 0.0);
    const double target = options.relative_tolerance * norm(b);
    const std::size_t limit = options.max_iterations != 0 ? options.max_iterations : 10 * b.size();

    Vector inverse_diagonal(b.size(), 1.0);
    if (options.precondition) {
        const Vector diagonal = a.diagonal();
        for (std::size_t i = 0; i < diagonal.size(); ++i) {
            if (diagonal[i] <= 0) {
                throw std::domain_error("diagonal has an entry that is not positive");
            }
            inverse_diagonal[i] = 1.0 / diagonal[i];
        }
    }

    Vector r = b;
    Vector z(b.size());
    std::transform(r.begin(), r.end(), inverse_diagonal.begin(), z.begin(), std::multiplies<>());
    Vector p = z;
    double rz = dot(r, z);
    for (result.iterations = 0; result.iterations < limit; ++result.iterations) {
        result.residual = norm(r);
        if (result.residual <= target) {
            result.converged = true;
            return result;
        }
        const Vector ap = a.multiply(p);
        const double curvature = dot(p, ap);
        if (curvature <= 0) {
            throw std::domain_error("matrix is not positive definite");
        }
        const double step = rz / curvature;
        axpy(step, p, result.x);
        axpy(-step, ap, r);
        // Rounding drifts away from the true residual; start afresh now and then.
        if (result.iterations % 50 == 49) {
            r = b;
            axpy(-1.0, a.multiply(result.x), r);
        }
        std::transform(r.begin(), r.end(), inverse_diagonal.begin(), z.begin(), std::multiplies<>());
        const double next = dot(r, z);
        const double beta = next / rz;
        rz = next;
        for (std::size_t i = 0; i < p.size(); ++i) {
            p[i] = z[i] + beta * p[i];
        }
    }
    result.residual = norm(r);
    return result;
}

inline std::ostream& operator<<(std::ostream& out, const SparseMatrix& matrix)
{
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        for (std::size_t column = 0; column < matrix.columns(); ++column) {
            out << matrix.at(row, column) << (column + 1 == matrix.columns() ? '\n' : ' ');
        }
    }
    return out;
}

}  // namespace linalg
