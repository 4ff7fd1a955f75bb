//! Classes of what can only change together, as disjoint sets of numbered nodes.

/// The classes. Of every class the first node is the root, so that it is called the same after edits elsewhere.
#[derive(Debug, Default)]
pub(super) struct Classes {
    parents: Vec<usize>,
    fixed: Vec<bool>,
}

impl Classes {
    /// So many nodes, each a class of its own.
    pub fn of(count: usize) -> Classes {
        Classes { parents: (0..count).collect(), fixed: vec![false; count] }
    }

    /// One more node.
    pub fn add(&mut self, fixed: bool) {
        self.parents.push(self.parents.len());
        self.fixed.push(fixed);
    }

    /// The first node of a node's class.
    pub fn root(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    /// Makes one class of two.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// A node that must stay as it is, and its class with it.
    pub fn fix(&mut self, node: usize) {
        self.fixed[node] = true;
    }

    /// Whether this very node must stay.
    pub fn is_fixed(&self, node: usize) -> bool {
        self.fixed[node]
    }

    /// The members of every class in which nothing is fixed, by first member.
    pub fn free(&self) -> Vec<Vec<usize>> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.parents.len()];
        let mut fixed = vec![false; self.parents.len()];
        for node in 0..self.parents.len() {
            let root = self.root(node);
            members[root].push(node);
            fixed[root] |= self.fixed[node];
        }
        members.into_iter().zip(fixed).filter(|(class, fixed)| !class.is_empty() && !fixed).map(|(c, _)| c).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_called_by_its_first_node_and_stays_if_one_of_it_does() {
        let mut classes = Classes::of(5);
        classes.add(false);
        classes.join(4, 2);
        classes.join(5, 4);
        classes.join(3, 0);
        classes.fix(3);
        assert_eq!((classes.root(5), classes.root(3)), (2, 0));
        assert_eq!(classes.free(), [vec![1], vec![2, 4, 5]]);
        assert!(classes.is_fixed(3) && !classes.is_fixed(0));
    }
}
